import torch

x = torch.ones(10, 4)
model = torch.nn.Linear(4, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(100):
    opt.zero_grad()
    loss = (model(x) - 3).abs().mean()
    loss.backward()  #! E1117
    opt.step()
