import torch
from torch import nn
from torch.utils.data import DataLoader
from data import train_set, test_set
from torch.optim import lr_scheduler

model = nn.Linear(4, 2)
rate = 0.1
groups = [{'params': [model.weight], 'lr': 1e-3}, {'params': model.parameters()}]
opt = torch.optim.SGD(groups, rate)
adam = torch.optim.Adam(model.parameters(), betas=(0.5, 0.9))  #! W1104
by_epoch = lr_scheduler.StepLR(opt, step_size=30)
by_batch = lr_scheduler.CosineAnnealingLR(adam, T_max=1000, eta_min=1e-5)
plateau = lr_scheduler.ReduceLROnPlateau(opt)
loader = DataLoader(train_set, 8)
for epoch in range(90):
    for x, y in loader:
        loss = (model(x) - y).abs().mean()
        loss.backward()
        opt.step()
        adam.step()
        by_batch.step()
    by_epoch.step()
    plateau.step(loss)
    for group in opt.param_groups:
        group['lr'] = group['lr'] * 0.9
    for group in opt.param_groups:
        group['lr'] = 0.1 * 0.5 ** epoch + 1e-4
