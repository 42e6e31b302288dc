"""An endless loader, by a generator."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def cycle(dl):
    while True:
        for data in dl:
            yield data


torch.manual_seed(4)
dl = DataLoader(TensorDataset(torch.randn(65, 3)), batch_size=8, shuffle=True)
batches = cycle(dl)
model = nn.Linear(3, 3)
opt = torch.optim.Adam(model.parameters(), lr=8e-5)
train_num_steps, step = 40, 0
while step < train_num_steps:
    total_loss = 0.
    (x,) = next(batches)
    loss = ((model(x) - x) ** 2).mean()
    loss.backward()
    total_loss += loss.item()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    opt.step()
    opt.zero_grad()
    step += 1
    if step % 10 == 0:
        print(f'loss: {total_loss:.4f}')
torch.save({'step': step, 'model': model.state_dict()}, 'model.pt')
