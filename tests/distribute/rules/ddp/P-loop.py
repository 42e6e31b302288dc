import torch
from torch import nn
from torch.utils.data import DataLoader
from data import train_set, test_set

model, other = nn.Linear(4, 2), nn.Linear(2, 1)
frozen = nn.Linear(4, 2)  # no optimizer has it
opt = torch.optim.SGD(list(model.parameters()) + list(other.parameters()), lr=0.1)
for x, y in DataLoader(train_set, 8):
    loss = (other(model(x)) - y).pow(2).mean() + (model(x) - frozen(x)).abs().mean()
    opt.zero_grad(); loss.backward(); opt.step()
