import torch
from torch import nn
from torch.utils.data import DataLoader
from data import train_set, test_set
import os

model = nn.Linear(4, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
first = 0
if os.path.exists('last.pt'):
    state = torch.load('last.pt')
    model.load_state_dict(state['model'])
    first = state['epoch']
for epoch in range(first, 10):
    for x, y in DataLoader(train_set, 8):
        opt.zero_grad()
        (model(x) - y).abs().mean().backward()
        opt.step()
