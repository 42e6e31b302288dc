import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

model = nn.Linear(3, 1)
def load():
    global model
    model = model.to("cuda")  #! E1115
load()
data = TensorDataset(torch.zeros(10, 3), torch.zeros(10, 1))
loader = DataLoader(data, batch_size=2, shuffle=True)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
loss_fn = nn.MSELoss()
for epoch in range(3):
    for x, y in loader:
        opt.zero_grad()
        loss = loss_fn(model(x), y)
        loss.backward()
        opt.step()

