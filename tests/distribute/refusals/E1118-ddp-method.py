import torch
from torch import nn
from torch.utils.data import DataLoader
from data import dataset


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Linear(4, 1)

    def loss(self, x, y):
        return (self.encoder(x) - y).abs().mean()


model = Model()
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for x, y in DataLoader(dataset, 4):
    print(model(x).shape)
    loss = model.loss(x, y)
    loss.backward()  #! E1118
    model.encoder(x).mean().backward()  #! E1118
    opt.step()
