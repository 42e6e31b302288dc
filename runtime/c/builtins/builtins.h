// builtins.h - all that a generated program may use.

#ifndef PYCHORAL_BUILTINS_H
#define PYCHORAL_BUILTINS_H

#include <math.h>
#include <string.h>

#include "../modules/counter.h"
#include "../modules/deque.h"
#include "../modules/functools.h"
#include "../modules/hashlib.h"
#include "../modules/heapq.h"
#include "../modules/json_text.h"
#include "../modules/math.h"
#include "../modules/random.h"
#include "../modules/sys.h"
#include "../modules/threading.h"
#include "../modules/time.h"
#include "arguments.h"
#include "binaryio.h"
#include "bytes.h"
#include "call.h"
#include "copying.h"
#include "dict.h"
#include "format.h"
#include "generated.h"
#include "generator.h"
#include "iterating.h"
#include "iterators.h"
#include "itertools.h"
#include "list.h"
#include "members.h"
#include "number.h"
#include "number_protocol.h"
#include "object.h"
#include "binary_ops.h"
#include "parameter.h"
#include "print.h"
#include "process.h"
#include "range.h"
#include "records.h"
#include "set.h"
#include "iterator_tuple.h"
#include "str.h"
#include "table.h"
#include "textio.h"

#endif
