import torch
from torch import nn
from torch.utils.data import DataLoader
from data import train_set, test_set

model = nn.Linear(4, 2)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(train_set, 8)
steps = 0
for epoch in range(3):
    total, right, seen, recent = 0.0, 0, 0, 0.0
    batches = 0
    loss_sum = 0
    for i, (x, y) in enumerate(loader):
        loss = nn.functional.cross_entropy(model(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        loss_sum += loss.item()
        batches += 1
        steps += 1  # not of an epoch
        recent += loss.item()
        if i % 10 == 9:
            print(recent / 10)
            recent = 0.0
    print(loss_sum / len(loader), loss_sum / (i + 1), loss_sum / batches, loss_sum / len(train_set))
