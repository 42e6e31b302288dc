"""Classifies names; parameters are updated by hand."""
# refused: E1115
import random
import torch
import torch.nn as nn

rnn = nn.Linear(5, 3)
criterion = nn.NLLLoss()
learning_rate = 0.005


def train(category_tensor, line_tensor):
    rnn.zero_grad()
    output = torch.log_softmax(rnn(line_tensor), 1)
    loss = criterion(output, category_tensor)
    loss.backward()
    for p in rnn.parameters():
        p.data.add_(p.grad.data, alpha=-learning_rate)
    return output, loss.item()


for iter in range(1, 100):
    output, loss = train(torch.tensor([random.randint(0, 2)]), torch.randn(1, 5))
    if iter % 10 == 0:
        print(iter, loss)
