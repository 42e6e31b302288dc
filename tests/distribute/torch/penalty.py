"""Two models, a gradient penalty, several steps of one for each of the other."""
import torch
from torch import nn, autograd
from torch.optim import Adam
from torch.utils.data import DataLoader, TensorDataset

Z = 4
torch.manual_seed(0)


def gradient_penalty(critic, real, fake):
    eps = torch.rand(real.size(0), 1)
    mixed = (eps * real + (1 - eps) * fake).requires_grad_(True)
    score = critic(mixed)
    grad = autograd.grad(outputs=score, inputs=mixed, grad_outputs=torch.ones_like(score),
                         create_graph=True, retain_graph=True)[0]
    return ((grad.norm(2, dim=1) - 1) ** 2).mean()


class Generator(nn.Module):
    def __init__(self):
        super().__init__()
        self.main = nn.Sequential(nn.Linear(Z, 8), nn.ReLU(), nn.Linear(8, 2))

    def forward(self, z):
        return self.main(z)


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.main = nn.Sequential(nn.Linear(2, 8), nn.LeakyReLU(0.2), nn.Linear(8, 1))

    def forward(self, x):
        return self.main(x)


gen, critic = Generator(), Critic()
opt_gen = Adam(gen.parameters(), lr=1e-4, betas=(0.0, 0.9))
opt_critic = Adam(critic.parameters(), lr=1e-4, betas=(0.0, 0.9))
loader = DataLoader(TensorDataset(torch.randn(48, 2)), batch_size=8, shuffle=True)
for epoch in range(2):
    for step, (real,) in enumerate(loader):
        for _ in range(2):
            fake = gen(torch.randn(real.size(0), Z))
            penalty = gradient_penalty(critic, real, fake.detach())
            loss_critic = critic(fake.detach()).mean() - critic(real).mean() + 10 * penalty
            critic.zero_grad()
            loss_critic.backward()
            opt_critic.step()
        gen_loss = -critic(gen(torch.randn(real.size(0), Z))).mean()
        gen.zero_grad()
        gen_loss.backward()
        opt_gen.step()
    print(f"epoch {epoch}: critic {loss_critic:.4f} gen {gen_loss:.4f}")
