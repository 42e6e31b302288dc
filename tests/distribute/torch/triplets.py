"""Three passes of one network, and a margin."""
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset
from tqdm import tqdm


class Triplets(Dataset):
    def __init__(self, n):
        g = torch.Generator().manual_seed(1)
        self.x = torch.randn(n, 3, 6, generator=g)

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return self.x[i, 0], self.x[i, 1], self.x[i, 2]


class Embedding(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(6, 8), nn.BatchNorm1d(8), nn.PReLU(), nn.Linear(8, 2))

    def forward(self, x):
        return self.net(x)

    def get_embedding(self, x):
        return self.forward(x)


torch.manual_seed(0)
model = Embedding()
loss_fn = nn.TripletMarginLoss(margin=1.0)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3, weight_decay=1e-4)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 8, gamma=0.1, last_epoch=-1)
train_loader = DataLoader(Triplets(101), batch_size=8, shuffle=True, drop_last=True)
losses = []
for epoch in tqdm(range(3), desc="Epochs"):
    running_loss = []
    model.train()
    for step, (anchor, positive, negative) in enumerate(tqdm(train_loader, leave=False)):
        optimizer.zero_grad()
        a, p, n = model(anchor), model(positive), model(negative)
        loss = loss_fn(a, p, n)
        loss.backward()
        optimizer.step()
        running_loss.append(loss.detach().numpy())
    scheduler.step()
    mean = sum(running_loss) / len(running_loss)
    losses.append(float(mean))
    print("Epoch: {}/{} - Loss: {:.4f}".format(epoch + 1, 3, mean))
model.eval()
with torch.no_grad():
    print(model.get_embedding(torch.zeros(2, 6)).shape)
