"""A trainer with a configuration, groups of parameters, a collated dictionary."""
import json, logging, sys
from dataclasses import dataclass, field
from pathlib import Path
import torch
from torch import nn, Tensor
from torch.utils.data import DataLoader, Dataset
from torch.optim.lr_scheduler import LambdaLR


@dataclass
class Config:
    lr: float = 3e-4
    batch_size: int = 8
    epochs: int = 2
    out_dir: str = "runs/exp1"
    grad_clip: float = 1.0
    warmup: int = 3


class Seq(Dataset):
    def __init__(self, n): self.n = n
    def __len__(self): return self.n
    def __getitem__(self, i):
        g = torch.Generator().manual_seed(i)
        x = torch.randint(0, 10, (6,), generator=g)
        return {"ids": x, "label": x.sum() % 2}


def collate(batch):
    return {k: torch.stack([b[k] for b in batch]) for k in batch[0]}


class Classifier(nn.Module):
    def __init__(self, vocab=10, dim=8):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.rnn = nn.GRU(dim, dim, batch_first=True)
        self.head = nn.Linear(dim, 2)

    def forward(self, ids: Tensor) -> Tensor:
        _, h = self.rnn(self.emb(ids))
        return self.head(h[-1])


class Trainer:
    def __init__(self, cfg: Config, model: nn.Module, train_ds, val_ds):
        self.cfg = cfg
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.model = model.to(self.device)
        self.train_dl = DataLoader(train_ds, cfg.batch_size, shuffle=True, collate_fn=collate)
        self.val_dl = DataLoader(val_ds, cfg.batch_size, shuffle=False, collate_fn=collate)
        no_decay = ["bias"]
        groups = [
            {"params": [p for n, p in self.model.named_parameters()
                        if not any(nd in n for nd in no_decay)], "weight_decay": 0.01},
            {"params": [p for n, p in self.model.named_parameters()
                        if any(nd in n for nd in no_decay)], "weight_decay": 0.0},
        ]
        self.opt = torch.optim.AdamW(groups, lr=cfg.lr)
        self.sched = LambdaLR(self.opt, lambda s: min(1.0, (s + 1) / cfg.warmup))
        self.out = Path(cfg.out_dir)
        self.out.mkdir(parents=True, exist_ok=True)
        self.global_step = 0
        self.best = float("inf")
        self.log = logging.getLogger("trainer")

    def train(self):
        for epoch in range(self.cfg.epochs):
            self.model.train()
            epoch_loss = 0.0
            for batch in self.train_dl:
                batch = {k: v.to(self.device) for k, v in batch.items()}
                logits = self.model(batch["ids"])
                loss = nn.functional.cross_entropy(logits, batch["label"])
                self.opt.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(self.model.parameters(), self.cfg.grad_clip)
                self.opt.step()
                self.sched.step()
                self.global_step += 1
                epoch_loss += loss.item()
            epoch_loss /= len(self.train_dl)
            val = self.evaluate()
            self.log.info("epoch %d train %.4f val %.4f", epoch, epoch_loss, val)
            if val < self.best:
                self.best = val
                self.save("best.pt")
        self.save("last.pt")
        (self.out / "config.json").write_text(json.dumps(self.cfg.__dict__))

    @torch.no_grad()
    def evaluate(self):
        self.model.eval()
        tot = 0.0
        for batch in self.val_dl:
            batch = {k: v.to(self.device) for k, v in batch.items()}
            tot += nn.functional.cross_entropy(self.model(batch["ids"]), batch["label"]).item()
        return tot / len(self.val_dl)

    def save(self, name):
        state = {"model": self.model.state_dict(), "opt": self.opt.state_dict()}
        torch.save({**state, "step": self.global_step}, self.out / name)


def main():
    logging.basicConfig(stream=sys.stdout, level=logging.INFO)
    torch.manual_seed(0)
    cfg = Config()
    Trainer(cfg, Classifier(), Seq(61), Seq(17)).train()


if __name__ == "__main__":
    main()
