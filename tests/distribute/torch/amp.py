"""Mixed precision with a gradient scaler."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

use_cuda = torch.cuda.is_available()
device = "cuda" if use_cuda else "cpu"
torch.manual_seed(11)
x = torch.randn(64, 5)
train_kwargs = {"batch_size": 6}
if use_cuda:
    train_kwargs.update({"num_workers": 1, "pin_memory": True, "shuffle": True})
loader = DataLoader(TensorDataset(x, x[:, :1] * 3), **train_kwargs)

model = nn.Sequential(nn.Linear(5, 10), nn.ReLU(), nn.Linear(10, 1))
model.to(device)
optimizer = torch.optim.RMSprop(model.parameters())
scaler = torch.cuda.amp.GradScaler(enabled=use_cuda)
for epoch in range(2):
    for features, labels in loader:
        features, labels = features.to(device), labels.to(device)
        optimizer.zero_grad(set_to_none=True)
        with torch.autocast(device_type=device, enabled=use_cuda):
            loss = nn.functional.mse_loss(model(features), labels)
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        scaler.step(optimizer)
        scaler.update()
    print("epoch %d: loss of the last batch %.4f" % (epoch, loss.item()))
