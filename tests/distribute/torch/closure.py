"""Steps with a closure."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(77, 2)
loader = DataLoader(TensorDataset(x, x.sum(1, keepdim=True)), batch_size=4, shuffle=True)
model = nn.Linear(2, 1)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(2):
    for xb, yb in loader:
        def closure():
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(xb), yb)
            loss.backward()
            return loss
        optimizer.step(closure)
    print(epoch, float(nn.functional.mse_loss(model(x), x.sum(1, keepdim=True))))
