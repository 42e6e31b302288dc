"""A number of steps, whatever the epochs; the loop counts them itself."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(4)
max_steps, eval_every = 40, 10
data = TensorDataset(torch.randn(65, 3), torch.randn(65, 1))
loader = DataLoader(data, batch_size=8, shuffle=True)
model = nn.Linear(3, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
step, epoch = 0, 0
while step < max_steps:
    for x, y in loader:
        loss = ((model(x) - y) ** 2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        step += 1
        if step % eval_every == 0:
            print(step, loss.item())
        if step >= max_steps:
            break
    epoch += 1
print("done after", step)
