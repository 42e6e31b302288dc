"""An iterable dataset: how many batches come is not known."""
# refused: E1113
import torch
from torch.utils.data import DataLoader, IterableDataset


class Stream(IterableDataset):
    def __iter__(self):
        for i in range(50):
            yield torch.tensor([float(i)]), torch.tensor([2.0 * i])


loader = DataLoader(Stream(), batch_size=5)
model = torch.nn.Linear(1, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=1e-4)
for x, y in loader:
    loss = (model(x) - y).abs().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
