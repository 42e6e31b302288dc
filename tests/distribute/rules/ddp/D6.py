import torch
from torch import nn
from torch.utils.data import DataLoader
from data import train_set, test_set
import time

start = time.time()
model = nn.Linear(4, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
test = DataLoader(test_set, 8)
for epoch in range(100):
    for x, y in DataLoader(train_set, 8):
        loss = (model(x) - y).abs().mean()
        if torch.isnan(loss):
            raise SystemExit(1)
        opt.zero_grad()
        loss.backward()
        opt.step()
    error = sum((model(x) - y).abs().sum().item() for x, y in test)
    if error < 0.1:
        break
    if time.time() - start > 60: break
