import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

class Trainer:
    def __init__(self):
        self.model = nn.Linear(3, 1)
    def large(self):
        self.model = nn.Linear(3, 1)  #! E1115
    def train(self):
        model = self.model
        data = TensorDataset(torch.zeros(10, 3), torch.zeros(10, 1))
        loader = DataLoader(data, batch_size=2, shuffle=True)
        opt = torch.optim.SGD(self.model.parameters(), lr=0.1)
        loss_fn = nn.MSELoss()
        for epoch in range(3):
            for x, y in loader:
                opt.zero_grad()
                loss = loss_fn(self.model(x), y)
                loss.backward()
                opt.step()
t = Trainer()
t.large()
t.train()
