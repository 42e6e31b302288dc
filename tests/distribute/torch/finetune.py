"""A frozen part; the accuracy is that of the training set, too."""
import sys
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset, random_split

device = 'cuda' if torch.cuda.is_available() else 'cpu'
torch.manual_seed(42)


def make_model():
    backbone = nn.Sequential(nn.Linear(8, 16), nn.ReLU())
    return nn.Sequential(backbone, nn.Linear(16, 2))


def check_accuracy(loader, model):
    num_correct = 0
    num_samples = 0
    model.eval()
    with torch.no_grad():
        for x, y in loader:
            x, y = x.to(device), y.to(device)
            _, predictions = model(x).max(1)
            num_correct += (predictions == y).sum()
            num_samples += predictions.size(0)
    model.train()
    return num_correct / num_samples


x = torch.randn(120, 8)
dataset = TensorDataset(x, (x[:, 0] > 0).long())
train_set, test_set = random_split(dataset, [100, 20])
train_loader = DataLoader(dataset=train_set, batch_size=8, shuffle=True)
test_loader = DataLoader(dataset=test_set, batch_size=8, shuffle=True)

model = make_model()
for param in model[0].parameters():
    param.requires_grad = False
model.to(device)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(model[1].parameters(), lr=3e-4)

for epoch in range(2):
    losses = []
    for batch_idx, (data, targets) in enumerate(train_loader):
        data = data.to(device=device)
        targets = targets.to(device=device)
        scores = model(data)
        loss = criterion(scores, targets)
        losses.append(loss.item())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"Cost at epoch {epoch} is {sum(losses)/len(losses)}")

print(f"Accuracy on training set: {check_accuracy(train_loader, model)*100:.2f}")
print(f"Accuracy on test set: {check_accuracy(test_loader, model)*100:.2f}")
