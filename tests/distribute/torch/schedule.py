"""A trainer class, a schedule of the learning rate by epoch and another by batch."""
import logging

import torch
import torch.nn as nn
from torch.optim import Adam
from torch.optim.lr_scheduler import OneCycleLR, ReduceLROnPlateau
from torch.utils.data import DataLoader, TensorDataset

logging.basicConfig(level=logging.INFO)
logger = logging.getLogger(__name__)


class Trainer:
    def __init__(self, model, train_loader, epochs=2, lr=1e-2):
        self.model = model
        self.train_loader = train_loader
        self.epochs = epochs
        self.optimizer = Adam(self.model.parameters(), lr=lr)
        self.one_cycle = OneCycleLR(self.optimizer, max_lr=lr,
                                    total_steps=epochs * len(train_loader))
        self.plateau = ReduceLROnPlateau(self.optimizer, patience=0)
        self.criterion = nn.L1Loss()

    def train_epoch(self, epoch):
        self.model.train()
        total, count = 0.0, 0
        for x, y in self.train_loader:
            self.optimizer.zero_grad()
            loss = self.criterion(self.model(x), y)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
            self.optimizer.step()
            self.one_cycle.step()
            total += loss.item()
            count += 1
        return total / count

    def fit(self):
        for epoch in range(self.epochs):
            loss = self.train_epoch(epoch)
            self.plateau.step(loss)
            logger.info("epoch %d: %.4f", epoch, loss)
            print(f"epoch {epoch} loss {loss:.4f} rate {self.optimizer.param_groups[0]['lr']:.5f}")


if __name__ == "__main__":
    torch.manual_seed(7)
    x = torch.rand(65, 3)
    data = TensorDataset(x, x.prod(1, keepdim=True))
    trainer = Trainer(nn.Linear(3, 1), DataLoader(data, 4, True))
    trainer.fit()
