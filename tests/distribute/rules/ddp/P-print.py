import torch
from torch import nn
from torch.utils.data import DataLoader
from data import train_set, test_set
import logging

model = nn.Linear(4, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
log = logging.getLogger(__name__)
for i, (x, y) in enumerate(DataLoader(train_set, 8)):
    loss = (model(x) - y).abs().mean()
    opt.zero_grad(); loss.backward(); opt.step()
    if i % 10 == 0: log.info('loss %f', loss)
    print(f"""loss
    {loss.item()}""")
