"""Two models, each with its optimizer."""
import torch
import torch.nn as nn
import torch.optim as optim
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(3)
dataset = TensorDataset(torch.randn(83, 2) * 0.5 + 1.0)
dataloader = DataLoader(dataset, batch_size=8, shuffle=True, num_workers=0)

netG = nn.Sequential(nn.Linear(3, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Linear(8, 2))
netD = nn.Sequential(nn.Linear(2, 8), nn.LeakyReLU(0.2), nn.Linear(8, 1), nn.Sigmoid())
criterion = nn.BCELoss()
fixed_noise = torch.randn(5, 3)

optimizerD = optim.Adam(netD.parameters(), lr=0.0002, betas=(0.5, 0.999))
optimizerG = optim.Adam(netG.parameters(), lr=0.0002, betas=(0.5, 0.999))

for epoch in range(2):
    for i, data in enumerate(dataloader, 0):
        # the discriminator
        netD.zero_grad()
        real = data[0]
        label = torch.full((real.size(0),), 1.0)
        errD_real = criterion(netD(real).view(-1), label)
        errD_real.backward()
        noise = torch.randn(real.size(0), 3)
        fake = netG(noise)
        label.fill_(0.0)
        errD_fake = criterion(netD(fake.detach()).view(-1), label)
        errD_fake.backward()
        optimizerD.step()
        # the generator
        netG.zero_grad()
        label.fill_(1.0)
        errG = criterion(netD(fake).view(-1), label)
        errG.backward()
        optimizerG.step()
        if i % 5 == 0:
            print("[%d/%d] Loss_D: %.4f Loss_G: %.4f" % (epoch, i, errD_real.item(), errG.item()))
    with torch.no_grad():
        samples = netG(fixed_noise)
    torch.save({"G": netG.state_dict(), "D": netD.state_dict(), "samples": samples},
               "epoch_%d.pt" % epoch)
