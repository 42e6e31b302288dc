"""Q-learning from a replay memory, with a target network."""
# steps: stop
import random
from collections import deque, namedtuple
import torch
from torch import nn, optim

Transition = namedtuple('Transition', ('state', 'action', 'next_state', 'reward'))


class ReplayMemory(object):
    def __init__(self, capacity):
        self.memory = deque([], maxlen=capacity)

    def push(self, *args):
        self.memory.append(Transition(*args))

    def sample(self, batch_size):
        return random.sample(self.memory, batch_size)

    def __len__(self):
        return len(self.memory)


class DQN(nn.Module):
    def __init__(self, n_observations, n_actions):
        super(DQN, self).__init__()
        self.layer1 = nn.Linear(n_observations, 8)
        self.layer2 = nn.Linear(8, n_actions)

    def forward(self, x):
        return self.layer2(torch.relu(self.layer1(x)))


BATCH_SIZE, GAMMA, TAU = 4, 0.9, 0.05
torch.manual_seed(0)
policy_net = DQN(2, 2)
target_net = DQN(2, 2)
target_net.load_state_dict(policy_net.state_dict())
optimizer = optim.AdamW(policy_net.parameters(), lr=1e-3, amsgrad=True)
memory = ReplayMemory(100)


def select_action(state):
    if random.random() > 0.3:
        with torch.no_grad():
            return policy_net(state).max(1).indices.view(1, 1)
    return torch.tensor([[random.randrange(2)]], dtype=torch.long)


def optimize_model():
    if len(memory) < BATCH_SIZE:
        return
    batch = Transition(*zip(*memory.sample(BATCH_SIZE)))
    state_batch, action_batch = torch.cat(batch.state), torch.cat(batch.action)
    state_action_values = policy_net(state_batch).gather(1, action_batch)
    with torch.no_grad():
        next_state_values = target_net(torch.cat(batch.next_state)).max(1).values
    expected = next_state_values * GAMMA + torch.cat(batch.reward)
    loss = nn.SmoothL1Loss()(state_action_values, expected.unsqueeze(1))
    optimizer.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_value_(policy_net.parameters(), 100)
    optimizer.step()


for i_episode in range(6):
    place, state = 0.0, torch.zeros(1, 2)
    for t in range(10):
        action = select_action(state)
        place += 1.0 if action.item() == 1 else -1.0
        reward = torch.tensor([place])
        next_state = torch.tensor([[place, float(t)]])
        memory.push(state, action, next_state, reward)
        state = next_state
        optimize_model()
        target_dict, policy_dict = target_net.state_dict(), policy_net.state_dict()
        for key in policy_dict:
            target_dict[key] = policy_dict[key] * TAU + target_dict[key] * (1 - TAU)
        target_net.load_state_dict(target_dict)
        if random.random() < 0.1:
            break
    print(i_episode, place)
print('Complete')
