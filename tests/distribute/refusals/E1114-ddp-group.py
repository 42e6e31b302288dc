import torch  #! E1114
import torch.distributed as dist
from torch.utils.data import DataLoader
from data import dataset

dist.init_process_group('gloo')
model = torch.nn.Linear(4, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for x, y in DataLoader(dataset, 4):
    (model(x) - y).mean().backward()
    opt.step()
