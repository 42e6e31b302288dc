"""Slices of a permutation."""
import torch
from torch import nn

torch.manual_seed(0)
X = torch.randn(96, 4)
model = nn.Linear(4, 4)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
batch_size = 8
for epoch in range(2):
    permutation = torch.randperm(X.size()[0])
    for i in range(0, X.size()[0], batch_size):
        optimizer.zero_grad()
        xb = X[permutation[i:i + batch_size]]
        loss = ((model(xb) - xb) ** 2).mean()
        loss.backward()
        optimizer.step()
    print(epoch, loss.item())
