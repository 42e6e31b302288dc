import os
import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP
model = DDP(net)
if dist.get_rank() == 0:  #! E1119
    loss(model).backward()
