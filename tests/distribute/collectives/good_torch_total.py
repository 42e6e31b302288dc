import os
import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP
total = torch.tensor(evaluate(loader, dist.get_rank()))
dist.all_reduce(total)
if total > 3:
    dist.barrier()
