"""Two losses, each with its own backward pass, of one forward pass."""
# refused: E1118
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(80, 4)
loader = DataLoader(TensorDataset(x, x.sum(1, keepdim=True)), batch_size=8, shuffle=True)
model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for epoch in range(2):
    for xb, yb in loader:
        optimizer.zero_grad()
        out = model(xb)
        first = ((out[:, :1] - yb) ** 2).mean()
        second = (out[:, 1:] - yb).abs().mean()
        first.backward(retain_graph=True)
        second.backward()
        optimizer.step()
    print(epoch, first.item(), second.item())
