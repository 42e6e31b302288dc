"""Cross-validation: a model, an optimizer and loaders for each fold."""
import torch
from torch import nn
from torch.utils.data import DataLoader, Subset, TensorDataset

torch.manual_seed(2)
x = torch.randn(120, 4)
dataset = TensorDataset(x, (x[:, 0] > 0).long())
k, size, results = 3, 40, {}
order = torch.randperm(120).tolist()
for fold in range(k):
    held = order[fold * size:(fold + 1) * size]
    used = order[:fold * size] + order[(fold + 1) * size:]
    trainloader = DataLoader(Subset(dataset, used), batch_size=8, shuffle=True)
    testloader = DataLoader(Subset(dataset, held), batch_size=8)
    network = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
    optimizer = torch.optim.Adam(network.parameters(), lr=1e-3)
    for epoch in range(2):
        current_loss = 0.0
        for i, (inputs, targets) in enumerate(trainloader, 0):
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(network(inputs), targets)
            loss.backward()
            optimizer.step()
            current_loss += loss.item()
            if i % 4 == 3:
                print('Loss after mini-batch %5d: %.3f' % (i + 1, current_loss / 4))
                current_loss = 0.0
    correct, total = 0, 0
    with torch.no_grad():
        for inputs, targets in testloader:
            predicted = network(inputs).argmax(1)
            total += targets.size(0)
            correct += (predicted == targets).sum().item()
    results[fold] = 100.0 * (correct / total)
    print(f'Fold {fold}: {results[fold]:.1f}%')
    torch.save(network.state_dict(), f'./model-fold-{fold}.pth')
print(sum(results.values()) / len(results))
