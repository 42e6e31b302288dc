import torch
from torch import nn
from torch.utils.data import DataLoader
from data import train_set, test_set
from torch.utils.data import TensorDataset, Subset

settings = dict(num_workers=2, shuffle=True)


def loaders(batch):
    first = DataLoader(train_set, batch_size=batch, shuffle=True, drop_last=True)  #! W1107
    second = DataLoader(Subset(test_set, range(10)), batch)
    return first, second


train, test = loaders(16)
more = DataLoader(train_set, **settings)
model = nn.Linear(4, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for (x, y), z in zip(train, more):
    opt.zero_grad()
    (model(x) - y - z[1]).abs().mean().backward()
    opt.step()
for x, y in test:  # every process tests all
    model(x)
