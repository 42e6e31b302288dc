"""Two loaders, drawn side by side."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
source_data = TensorDataset(torch.randn(90, 4), torch.randint(0, 2, (90,)))
target_data = TensorDataset(torch.randn(70, 4) + 1, torch.zeros(70))
dataloader_source = DataLoader(dataset=source_data, batch_size=8, shuffle=True)
dataloader_target = DataLoader(dataset=target_data, batch_size=8, shuffle=True)


class Adapted(nn.Module):
    def __init__(self):
        super().__init__()
        self.feature = nn.Sequential(nn.Linear(4, 8), nn.ReLU())
        self.classes = nn.Linear(8, 2)
        self.domain = nn.Linear(8, 2)

    def forward(self, x):
        f = self.feature(x)
        return self.classes(f), self.domain(f)


my_net = Adapted()
optimizer = torch.optim.Adam(my_net.parameters(), lr=1e-3)
loss_class, loss_domain = nn.CrossEntropyLoss(), nn.CrossEntropyLoss()
for epoch in range(2):
    len_dataloader = min(len(dataloader_source), len(dataloader_target))
    data_source_iter = iter(dataloader_source)
    data_target_iter = iter(dataloader_target)
    i = 0
    while i < len_dataloader:
        s_img, s_label = next(data_source_iter)
        my_net.zero_grad()
        class_output, domain_output = my_net(s_img)
        err = loss_class(class_output, s_label)
        err = err + loss_domain(domain_output, torch.zeros(len(s_img)).long())
        t_img, _ = next(data_target_iter)
        _, domain_output = my_net(t_img)
        err = err + loss_domain(domain_output, torch.ones(len(t_img)).long())
        err.backward()
        optimizer.step()
        i += 1
        print('epoch: %d, [iter: %d / all %d], err: %f' % (epoch, i, len_dataloader, err.item()))
