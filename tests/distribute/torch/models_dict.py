"""Models and optimizers in dicts."""
# refused: E1115
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(80, 4)
loaders = {"train": DataLoader(TensorDataset(x[:60]), batch_size=8, shuffle=True),
           "test": DataLoader(TensorDataset(x[60:]), batch_size=8)}
models = {"encoder": nn.Linear(4, 2), "decoder": nn.Linear(2, 4)}
optimizers = {name: torch.optim.Adam(model.parameters(), lr=1e-3) for name, model in models.items()}
for epoch in range(2):
    for (batch,) in loaders["train"]:
        for o in optimizers.values():
            o.zero_grad()
        loss = ((models["decoder"](models["encoder"](batch)) - batch) ** 2).mean()
        loss.backward()
        for o in optimizers.values():
            o.step()
    print(epoch, loss.item())
