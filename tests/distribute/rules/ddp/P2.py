import torch
from torch import nn
from torch.utils.data import DataLoader
from data import train_set, test_set
from tqdm import tqdm

model = nn.Linear(4, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(train_set, 8)
bar = tqdm(loader, desc='training')
for x, y in bar:
    loss = (model(x) - y).abs().mean()
    opt.zero_grad(); loss.backward(); opt.step()
    bar.set_postfix(loss=loss.item())
