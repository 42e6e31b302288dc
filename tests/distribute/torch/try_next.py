"""Draws from an iterator that is renewed when it ends."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(77, 2)), batch_size=4, shuffle=True)
model = nn.Linear(2, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
data_iter = iter(loader)
for it in range(50):
    try:
        (batch,) = next(data_iter)
    except StopIteration:
        data_iter = iter(loader)
        (batch,) = next(data_iter)
    loss = (model(batch) - batch).abs().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if it % 10 == 0:
        print(it, loss.item())
