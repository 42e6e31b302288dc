"""Slices of tensors by number, with noise."""
# refused: E1117
import torch
from torch import nn

torch.manual_seed(0)
X = torch.linspace(-1, 1, 384).view(96, 4)
model = nn.Linear(4, 4)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
batch_size = 8
for epoch in range(2):
    for i in range(0, len(X), batch_size):
        xb = X[i:i + batch_size]
        noisy = xb + 0.1 * torch.randn_like(xb)
        loss = ((model(noisy) - xb) ** 2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(epoch, loss.item())
