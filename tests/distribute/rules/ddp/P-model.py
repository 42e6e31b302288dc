import torch
from torch import nn
from torch.utils.data import DataLoader
from data import train_set, test_set
import os

os.environ['CUDA_VISIBLE_DEVICES'] = '1'


def build(device):
    net = nn.Sequential(nn.Linear(4, 4), nn.ReLU(), nn.Linear(4, 1))
    if torch.cuda.is_available():
        net = nn.DataParallel(net, device_ids=[0, 1])
    return net.to(device)


model = build('cuda:0' if torch.cuda.is_available() else 'cpu')
model[0].bias.requires_grad = False  # before it is wrapped
opt = torch.optim.SGD(model.parameters(), lr=0.1)
critic = nn.Linear(1, 1)
opt2 = torch.optim.SGD(critic.parameters(), lr=0.1)
for x, y in DataLoader(train_set, 8):
    critic.requires_grad_(False)
    (critic(model(x)) - y).mean().backward()
    opt.step()
    critic.requires_grad_(True)
    (critic(model(x).detach()) - critic(y)).mean().backward()
    opt2.step()
