import os
import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP
rank = int(os.environ.get('RANK', 0))
if rank == 0:  #! E1119
    download()
    dist.barrier()
