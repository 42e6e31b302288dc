"""A linear model, by a plain loop."""
import torch
from torch import nn, optim
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(101, 4)
y = x @ torch.tensor([[1.0], [2.0], [-1.0], [0.5]])

loader = DataLoader(TensorDataset(x, y), batch_size=10, shuffle=True)
model = nn.Linear(4, 1)
criterion = nn.MSELoss()
optimizer = optim.SGD(model.parameters(), lr=0.01)

for epoch in range(3):
    running = 0.0
    for features, labels in loader:
        optimizer.zero_grad()
        loss = criterion(model(features), labels)
        loss.backward()
        optimizer.step()
        running += loss.item()  # of the epoch
    print(f"epoch {epoch}: {running / len(loader):.4f}")

torch.save(model.state_dict(), "model.pt")
