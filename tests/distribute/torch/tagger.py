"""One sentence at a time, from a list."""
# refused: E1117
import torch
import torch.nn as nn
import torch.optim as optim

training_data = [([0, 1, 2], [0, 1, 0]), ([3, 1], [1, 1])]
model = nn.Sequential(nn.Embedding(5, 4), nn.Linear(4, 2), nn.LogSoftmax(1))
loss_function = nn.NLLLoss()
optimizer = optim.SGD(model.parameters(), lr=0.1)
for epoch in range(5):
    for sentence, tags in training_data:
        model.zero_grad()
        loss = loss_function(model(torch.tensor(sentence)), torch.tensor(tags))
        loss.backward()
        optimizer.step()
