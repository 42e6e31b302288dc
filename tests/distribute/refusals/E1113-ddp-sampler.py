import torch
from torch.utils.data import DataLoader, IterableDataset, SubsetRandomSampler
from data import dataset


class Stream(IterableDataset):
    def __iter__(self):
        yield torch.zeros(4), torch.zeros(1)


model = torch.nn.Linear(4, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
first = DataLoader(dataset, 4, sampler=SubsetRandomSampler([1, 2, 3]))  #! E1113
second = DataLoader(Stream(), 4)  #! E1113
for x, y in first:
    (model(x) - y).mean().backward()
    opt.step()
for x, y in second:
    (model(x) - y).mean().backward()
    opt.step()
