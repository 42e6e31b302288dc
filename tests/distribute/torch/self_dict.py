"""A trainer with a dict of loaders; a limit of batches in each epoch."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Runner:
    def __init__(self, sets, limit):
        self.loaders = {name: DataLoader(data, batch_size=4, shuffle=name == "train")
                        for name, data in sets.items()}
        self.limit = limit
        self.model = nn.Linear(3, 1)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.01)
        self.clip = None

    def epoch(self, number):
        total, count = 0.0, 0
        for i, (x, y) in enumerate(self.loaders["train"]):
            if i >= self.limit:
                break
            loss = ((self.model(x) - y) ** 2).mean()
            self.optimizer.zero_grad()
            loss.backward()
            if self.clip is not None:
                nn.utils.clip_grad_norm_(self.model.parameters(), self.clip)
            self.optimizer.step()
            total += loss.item() * len(x)
            count += len(x)
        print(number, total / count)

    def test(self):
        with torch.no_grad():
            return max(float((self.model(x) - y).abs().max()) for x, y in self.loaders["test"])


torch.manual_seed(0)
x = torch.randn(120, 3)
y = x.sum(1, keepdim=True)
runner = Runner({"train": TensorDataset(x[:100], y[:100]), "test": TensorDataset(x[100:], y[100:])},
                20)
for number in range(2):
    runner.epoch(number)
print("worst", runner.test())
