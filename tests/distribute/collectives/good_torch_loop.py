import os
import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP
dist.init_process_group('gloo')
rank = dist.get_rank()
model = DDP(net)
for epoch in range(3):
    for x in loader:
        model(x).backward()
        opt.step()
    if rank == 0:
        torch.save(model.module.state_dict(), 'm')
    dist.barrier()
