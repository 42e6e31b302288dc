import tensorflow as tf
import horovod.tensorflow as hvd
hvd.init()
best = 9.0
for epoch in range(9):
    score = evaluate()
    score = hvd.allreduce(score)
    if score < best:
        best = score
        if hvd.rank() == 0:
            model.save('best')
