"""Means over the length of the loader's sampler, the best state kept in memory."""
import copy
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(120, 4)
y = x.sum(1, keepdim=True)
train_loader = DataLoader(TensorDataset(x[:80], y[:80]), batch_size=8, shuffle=True)
valid_loader = DataLoader(TensorDataset(x[80:], y[80:]), batch_size=8, shuffle=True)
model = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.Linear(8, 1))
criterion = nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
valid_loss_min = float('inf')
for epoch in range(1, 4):
    train_loss = 0.0
    valid_loss = 0.0
    model.train()
    for data, target in train_loader:
        optimizer.zero_grad()
        loss = criterion(model(data), target)
        loss.backward()
        optimizer.step()
        train_loss += loss.item() * data.size(0)
    model.eval()
    for data, target in valid_loader:
        valid_loss += criterion(model(data), target).item() * data.size(0)
    train_loss = train_loss / len(train_loader.sampler)
    valid_loss = valid_loss / len(valid_loader.sampler)
    print('Epoch: {} \tTraining Loss: {:.6f} \tValidation Loss: {:.6f}'.format(
        epoch, train_loss, valid_loss))
    if valid_loss <= valid_loss_min:
        print('decreased')
        best = copy.deepcopy(model.state_dict())
        valid_loss_min = valid_loss
model.load_state_dict(best)
torch.save(best, 'model_augmented.pt')
