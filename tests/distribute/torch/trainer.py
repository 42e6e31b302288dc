"""A trainer class that is given everything."""
import os
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split


class Trainer:
    def __init__(self, model, train_loader, valid_loader, optimizer, criterion, config):
        self.model = model
        self.train_loader = train_loader
        self.valid_loader = valid_loader
        self.optimizer = optimizer
        self.criterion = criterion
        self.config = config
        self.device = config["device"]
        self.model.to(self.device)
        self.history = {"train": [], "valid": []}
        self.best = float("inf")

    def _step(self, batch):
        x, y = (t.to(self.device) for t in batch)
        return self.criterion(self.model(x), y)

    def train_epoch(self):
        self.model.train()
        total, count = 0.0, 0
        for batch in self.train_loader:
            self.optimizer.zero_grad()
            loss = self._step(batch)
            loss.backward()
            nn.utils.clip_grad_norm_(self.model.parameters(), self.config["clip"])
            self.optimizer.step()
            total += loss.item() * len(batch[0])
            count += len(batch[0])
        return total / count

    @torch.no_grad()
    def validate(self):
        self.model.eval()
        total, count = 0.0, 0
        for batch in self.valid_loader:
            total += self._step(batch).item() * len(batch[0])
            count += len(batch[0])
        return total / count

    def fit(self, epochs):
        for epoch in range(epochs):
            train_loss = self.train_epoch()
            valid_loss = self.validate()
            self.history["train"].append(train_loss)
            self.history["valid"].append(valid_loss)
            print(f"{epoch:3d} {train_loss:.4f} {valid_loss:.4f}")
            if valid_loss < self.best:
                self.best = valid_loss
                self.save()

    def save(self):
        os.makedirs("checkpoints", exist_ok=True)
        torch.save({"model": self.model.state_dict(), "best": self.best},
                   os.path.join("checkpoints", "best.pt"))


def main():
    torch.manual_seed(0)
    config = {"device": "cuda:0" if torch.cuda.is_available() else "cpu", "clip": 1.0}
    x = torch.randn(130, 4)
    data = TensorDataset(x, x.sum(1, keepdim=True))
    train_data, valid_data = random_split(data, [101, 29])
    net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
    trainer = Trainer(
        model=net,
        train_loader=DataLoader(train_data, batch_size=8, shuffle=True),
        valid_loader=DataLoader(valid_data, batch_size=16),
        optimizer=torch.optim.AdamW(net.parameters(), lr=3e-3),
        criterion=nn.MSELoss(), config=config)
    trainer.fit(3)


if __name__ == "__main__":
    main()
