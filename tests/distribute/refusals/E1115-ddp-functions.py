import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

model = None
wide = True


def build_small():
    global model
    model = nn.Linear(3, 1)


def build_large():
    global model
    model = nn.Linear(30, 1)  #! E1115


if wide:
    build_large()
else:
    build_small()
data = TensorDataset(torch.zeros(10, 3), torch.zeros(10, 1))
loader = DataLoader(data, batch_size=2, shuffle=True)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
loss_fn = nn.MSELoss()
for epoch in range(3):
    for x, y in loader:
        opt.zero_grad()
        loss = loss_fn(model(x), y)
        loss.backward()
        opt.step()
