// cmd_parse.h - `pychoralc parse`: the syntax tree of a file, in one of four forms.
//
//   --ast         as Python 3.13's ast.dump(tree, indent=2) prints it (the default)
//   --ast=json    one JSON object per node, see compiler/emit/ast_json.h
//   --python      source text whose tree is equal
//   --ir          the exact form of the IR that the compiler reads back
//
// --batch=files takes many files, --batch=texts many sources: NUL-separated on standard input. For
// each, one JSON line: {"file": name, "ok": true, "tree": ...} (with --ast=json) or
// {"file": name, "ok": true, "text": ...} or {"file": name, "ok": false, "error": first message}.
// Comparisons with other parsers use it; it exits with 0 whatever the inputs are.

#ifndef PYCHORAL_COMMAND_CMD_PARSE_H
#define PYCHORAL_COMMAND_CMD_PARSE_H

// argv[0] is "parse". Gives the exit code: 0, 1 the input has errors, 2 usage, 3 a file.
int cmd_parse(int argc, char **argv);

#endif
