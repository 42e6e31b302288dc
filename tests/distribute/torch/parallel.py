"""DataParallel where there are several GPUs."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(13)
inputs = torch.randn(58, 4)
loader = DataLoader(TensorDataset(inputs, inputs.mean(1, keepdim=True)), batch_size=7, shuffle=True)


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 6)
        self.head = nn.Linear(6, 1)

    def forward(self, x):
        return self.head(torch.relu(self.body(x)))


model = Encoder()
if torch.cuda.device_count() > 1:
    print("several GPUs")
    model = nn.DataParallel(model)
model.to(device)
for p in model.body.parameters() if not isinstance(model, nn.DataParallel) else []:
    p.requires_grad = False
optimizer = torch.optim.Adagrad(filter(lambda p: p.requires_grad, model.parameters()), lr=0.05)
for epoch in range(2):
    correct = total = 0
    for x, y in loader:
        x, y = x.to(device), y.to(device)
        output = model(x)
        loss = nn.functional.mse_loss(output, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += y.size(0)
        correct += ((output - y).abs() < 0.1).sum().item()
    print("epoch", epoch, "accuracy", correct / total)
state = model.module.state_dict() if hasattr(model, "module") else model.state_dict()
torch.save(state, "parallel.pt")
