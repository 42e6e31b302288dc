"""One function trains and validates; the loader says which."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def run_epoch(model, loader, loss_fn, optimizer=None):
    training = optimizer is not None
    model.train(training)
    total, n = 0.0, 0
    for x, y in loader:
        with torch.set_grad_enabled(training):
            loss = loss_fn(model(x), y)
        if optimizer is not None:
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        total += loss.item() * len(x)
        n += len(x)
    return total / n


def get_data():
    torch.manual_seed(0)
    x = torch.randn(99, 3)
    y = x @ torch.ones(3, 1)
    return TensorDataset(x[:80], y[:80]), TensorDataset(x[80:], y[80:])


train_ds, val_ds = get_data()
train_loader = DataLoader(train_ds, batch_size=8, shuffle=True)
val_loader = DataLoader(val_ds, batch_size=8)
model = nn.Linear(3, 1)
opt = torch.optim.SGD(model.parameters(), lr=1e-2)
loss_fn = nn.MSELoss()
history = []
for epoch in range(3):
    tr = run_epoch(model, train_loader, loss_fn, opt)
    va = run_epoch(model, val_loader, loss_fn)
    history.append((tr, va))
    print(epoch, round(tr, 4), round(va, 4))
import json
json.dump(history, open("history.json", "w"))
