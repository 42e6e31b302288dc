"""Gradients of four batches make a step."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

STEPS = 4


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(4, 8)
        self.out = nn.Linear(8, 1)

    def forward(self, x):
        return self.out(torch.tanh(self.hidden(x)))


def main():
    torch.manual_seed(1)
    x = torch.randn(90, 4)
    data = TensorDataset(x, x.sum(1, keepdim=True))
    loader = DataLoader(data, batch_size=5, shuffle=True)
    device = torch.device("cuda:0" if torch.cuda.is_available() else "cpu")
    model = Net().to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=0.01)
    model.train()
    for epoch in range(2):
        for i, (xb, yb) in enumerate(loader):
            xb, yb = xb.to(device), yb.to(device)
            out = model(xb)
            loss = F.mse_loss(out, yb) / STEPS
            loss.backward()
            if (i + 1) % STEPS == 0:
                optimizer.step()
                optimizer.zero_grad()
        print("epoch", epoch, "done")


if __name__ == "__main__":
    main()
