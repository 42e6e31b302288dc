"""Checkpoints, and starting again from the last one."""
# runs: 2
import os

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

CHECKPOINT = "checkpoints/last.pt"


class Squares(Dataset):
    def __init__(self, n):
        self.x = torch.linspace(-1, 1, n).unsqueeze(1)

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return self.x[i], self.x[i] ** 2


def save_checkpoint(model, optimizer, epoch, path):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    torch.save({"epoch": epoch, "model": model.state_dict(),
                "optimizer": optimizer.state_dict()}, path)


def load_checkpoint(model, optimizer, path):
    checkpoint = torch.load(path)
    model.load_state_dict(checkpoint["model"])
    optimizer.load_state_dict(checkpoint["optimizer"])
    return checkpoint["epoch"] + 1


model = nn.Sequential(nn.Linear(1, 16), nn.Tanh(), nn.Linear(16, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
start_epoch = 0
if os.path.exists(CHECKPOINT):
    start_epoch = load_checkpoint(model, optimizer, CHECKPOINT)
    print("resumed at epoch", start_epoch)

loader = DataLoader(Squares(77), batch_size=8, shuffle=True)
for epoch in range(start_epoch, start_epoch + 2):
    losses = []
    for x, y in loader:
        loss = ((model(x) - y) ** 2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    print(f"epoch {epoch}: {sum(losses) / len(losses):.5f}")
    save_checkpoint(model, optimizer, epoch, CHECKPOINT)
