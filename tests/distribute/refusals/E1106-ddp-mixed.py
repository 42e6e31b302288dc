import torch
from data import loader_of
from torch.utils.data import DataLoader


def accuracy(net, data):
    net.eval()
    return sum((net(x) == y).sum().item() for x, y in data)


model, teacher = torch.nn.Linear(4, 1), torch.nn.Linear(4, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(loader_of(), 4)
for x, y in loader:
    (model(x) - teacher(x)).mean().backward()
    opt.step()
print(accuracy(model, loader), accuracy(teacher, loader))  #! E1106
