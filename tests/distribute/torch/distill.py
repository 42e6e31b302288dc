"""A student learns from a teacher that stays as it is."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"


def make(width):
    return nn.Sequential(nn.Linear(6, width), nn.ReLU(), nn.Linear(width, 3))


x = torch.randn(111, 6)
train_loader = DataLoader(TensorDataset(x, torch.randint(0, 3, (111,))), batch_size=8, shuffle=True)
teacher = make(32).to(device)
student = make(4).to(device)


def train_knowledge_distillation(teacher, student, train_loader, epochs, learning_rate, T, weight):
    ce_loss = nn.CrossEntropyLoss()
    optimizer = torch.optim.Adam(student.parameters(), lr=learning_rate)
    teacher.eval()
    student.train()
    for epoch in range(epochs):
        running_loss = 0.0
        for inputs, labels in train_loader:
            inputs, labels = inputs.to(device), labels.to(device)
            optimizer.zero_grad()
            with torch.no_grad():
                teacher_logits = teacher(inputs)
            student_logits = student(inputs)
            soft_targets = nn.functional.softmax(teacher_logits / T, dim=-1)
            soft_prob = nn.functional.log_softmax(student_logits / T, dim=-1)
            soft_loss = torch.sum(soft_targets * (soft_targets.log() - soft_prob))
            soft_loss = soft_loss / soft_prob.size()[0]
            loss = weight * soft_loss * T**2 + (1 - weight) * ce_loss(student_logits, labels)
            loss.backward()
            optimizer.step()
            running_loss += loss.item()
        print(f"Epoch {epoch+1}/{epochs}, Loss: {running_loss / len(train_loader)}")


train_knowledge_distillation(teacher=teacher, student=student, train_loader=train_loader, epochs=2,
                             learning_rate=0.001, T=2, weight=0.25)
