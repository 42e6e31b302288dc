"""Training and validation in functions, early stopping on the validation loss."""
# steps: stop
import argparse

import torch
import torch.nn as nn
import torch.optim as optim
from torch.utils.data import DataLoader, TensorDataset, random_split


class Classifier(nn.Module):
    def __init__(self, features, classes):
        super(Classifier, self).__init__()
        self.layers = nn.Sequential(nn.Linear(features, 16), nn.ReLU(), nn.Dropout(0.1),
                                    nn.Linear(16, classes))

    def forward(self, x):
        return self.layers(x)


def train(args, model, device, train_loader, optimizer, epoch):
    model.train()
    total_loss = 0
    for batch_idx, (data, target) in enumerate(train_loader):
        data, target = data.to(device), target.to(device)
        optimizer.zero_grad()
        output = model(data)
        loss = nn.functional.cross_entropy(output, target)
        loss.backward()
        optimizer.step()
        total_loss += loss.item() * data.size(0)
        if batch_idx % args.log_interval == 0:
            print('Train Epoch: {} [{}/{}]\tLoss: {:.6f}'.format(
                epoch, batch_idx * len(data), len(train_loader.dataset), loss.item()))
    return total_loss / len(train_loader.dataset)


def validate(model, device, loader):
    model.eval()
    loss, correct = 0, 0
    with torch.no_grad():
        for data, target in loader:
            data, target = data.to(device), target.to(device)
            output = model(data)
            loss += nn.functional.cross_entropy(output, target, reduction='sum').item()
            correct += (output.argmax(1) == target).sum().item()
    return loss / len(loader.dataset), correct / len(loader.dataset)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--batch-size', type=int, default=16)
    parser.add_argument('--epochs', type=int, default=4)
    parser.add_argument('--lr', type=float, default=0.1)
    parser.add_argument('--log-interval', type=int, default=5)
    args = parser.parse_args()
    torch.manual_seed(5)
    device = torch.device('cuda' if torch.cuda.is_available() else 'cpu')
    x = torch.randn(250, 6)
    y = (x[:, 0] + x[:, 1] > 0).long()
    train_set, val_set = random_split(TensorDataset(x, y), [203, 47])
    train_loader = DataLoader(train_set, batch_size=args.batch_size, shuffle=True)
    val_loader = DataLoader(val_set, batch_size=args.batch_size)

    model = Classifier(6, 2).to(device)
    optimizer = optim.SGD(model.parameters(), lr=args.lr, momentum=0.9)
    best, waited = float('inf'), 0
    for epoch in range(1, args.epochs + 1):
        train_loss = train(args, model, device, train_loader, optimizer, epoch)
        val_loss, accuracy = validate(model, device, val_loader)
        print(f'Epoch {epoch}: train {train_loss:.4f}, val {val_loss:.4f}, {100. * accuracy:.1f}%')
        if val_loss < best:
            best, waited = val_loss, 0
            torch.save(model.state_dict(), 'best.pt')
        else:
            waited += 1
            if waited >= 2:
                print('early stop')
                break
    model.load_state_dict(torch.load('best.pt'))
    print('final accuracy: %.3f' % validate(model, device, val_loader)[1])


if __name__ == '__main__':
    main()
