// json_text.h - Python's json: dumps and loads.

#ifndef PYCHORAL_JSON_TEXT_H
#define PYCHORAL_JSON_TEXT_H

#include "../builtins/object.h"

// json.JSONDecodeError, a ValueError.
typedef struct PychoralJsonError {
    PychoralException exception;
    PychoralStr *msg, *doc;
    PychoralInt pos, lineno, colno;
} PychoralJsonError;

extern const PychoralType pychoral_type_JSONDecodeError;

// json.dumps. `indent` is None, an int or a str, `separators` None or two str; where the `type` is
// NULL, it was not given. `standard` (default=) is called for what JSON has no form for; it may be
// NULL. Raises TypeError, ValueError, and what `standard` raises.
PychoralStr *pychoral_json_dumps(PychoralRef value, bool skips_keys, bool ascii,
                                 bool check_circular, bool allow_nan, PychoralRef indent,
                                 PychoralRef separators, PychoralFunction *standard,
                                 bool sort_keys);

// json.loads: dict[str, object], list[object], str, int, float, bool, None. Raises JSONDecodeError.
PychoralAny pychoral_json_loads(const PychoralStr *text);
PychoralAny pychoral_json_loads_bytes(const PychoralBytes *bytes);

#endif
