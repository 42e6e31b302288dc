// ir_gen.c - the IR's constructors and tables. Written by asdlgen from ir.asdl.

#include "ir_gen.h"

#include <stddef.h>

#include "compiler/ir/ir_engine.h"

enum {
    FAMILY_UNIT,
    FAMILY_ENDPOINT,
    FAMILY_FRAGMENT,
    FAMILY_SITE,
    FAMILY_STMT,
    FAMILY_EXPR,
    FAMILY_OFFER_ARM,
    FAMILY_EXPR_CONTEXT,
    FAMILY_BOOLOP,
    FAMILY_OPERATOR,
    FAMILY_REDUCTION,
    FAMILY_UNARYOP,
    FAMILY_CMPOP,
    FAMILY_COMPREHENSION,
    FAMILY_EXCEPTHANDLER,
    FAMILY_ARGUMENTS,
    FAMILY_ARG,
    FAMILY_KEYWORD,
    FAMILY_ALIAS,
    FAMILY_WITHITEM,
    FAMILY_MATCH_CASE,
    FAMILY_PATTERN,
    FAMILY_TYPE_PARAM,
    FAMILY_TY,
    FAMILY_COUNT
};

static const IrFamily ir_families[FAMILY_COUNT];

static const IrField fields_unit_module[] = {
    {"body", offsetof(Unit, module.body), FIELD_NODE, COUNT_MANY, false, false, &ir_families[FAMILY_STMT]},
};

static const IrField fields_unit_endpoints[] = {
    {"endpoints", offsetof(Unit, endpoints.endpoints), FIELD_NODE, COUNT_MANY, false, false, &ir_families[FAMILY_ENDPOINT]},
    {"modules", offsetof(Unit, endpoints.modules), FIELD_NODE, COUNT_MANY, false, false, &ir_families[FAMILY_ENDPOINT]},
    {"sites", offsetof(Unit, endpoints.sites), FIELD_NODE, COUNT_MANY, false, false, &ir_families[FAMILY_SITE]},
};

static const IrForm forms_unit[] = {
    {"Module", fields_unit_module, 1, -1, 0u, 0x1u, 0xffe070ull, offsetof(Unit, module) + sizeof ((Unit *)0)->module},
    {"Endpoints", fields_unit_endpoints, 3, -1, 1u, 0x7u, 0xffe07eull, offsetof(Unit, endpoints) + sizeof ((Unit *)0)->endpoints},
};

static const IrField fields_endpoint_[] = {
    {"role", offsetof(Endpoint, role), FIELD_IDENTIFIER, COUNT_ONE, false, false, NULL},
    {"body", offsetof(Endpoint, body), FIELD_NODE, COUNT_MANY, false, false, &ir_families[FAMILY_STMT]},
    {"types", offsetof(Endpoint, types), FIELD_IDENTIFIER, COUNT_MANY, false, false, NULL},
    {"loads", offsetof(Endpoint, loads), FIELD_IDENTIFIER, COUNT_MANY, false, false, NULL},
    {"pieces", offsetof(Endpoint, pieces), FIELD_NODE, COUNT_MANY, false, false, &ir_families[FAMILY_FRAGMENT]},
};

static const IrForm forms_endpoint[] = {
    {"Endpoint", fields_endpoint_, 5, -1, 0u, 0x12u, 0xffe074ull, sizeof(Endpoint)},
};

static const IrField fields_fragment_[] = {
    {"at", offsetof(Fragment, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"module", offsetof(Fragment, module), FIELD_IDENTIFIER, COUNT_ONE, false, false, NULL},
    {"name", offsetof(Fragment, name), FIELD_IDENTIFIER, COUNT_OPTIONAL, false, false, NULL},
};

static const IrForm forms_fragment[] = {
    {"Fragment", fields_fragment_, 3, -1, 0u, 0u, 0ull, sizeof(Fragment)},
};

static const IrField fields_site_[] = {
    {"at", offsetof(Site, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"number", offsetof(Site, number), FIELD_INT, COUNT_ONE, false, false, NULL},
};

static const IrForm forms_site[] = {
    {"Site", fields_site_, 2, -1, 0u, 0u, 0ull, sizeof(Site)},
};

static const IrField fields_stmt_function_def[] = {
    {"at", offsetof(Stmt, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"roles", offsetof(Stmt, roles), FIELD_IDENTIFIER, COUNT_MANY, false, true, NULL},
    {"name", offsetof(Stmt, function_def.name), FIELD_IDENTIFIER, COUNT_ONE, false, false, NULL},
    {"args", offsetof(Stmt, function_def.args), FIELD_NODE, COUNT_ONE, false, false, &ir_families[FAMILY_ARGUMENTS]},
    {"body", offsetof(Stmt, function_def.body), FIELD_NODE, COUNT_MANY, false, false, &ir_families[FAMILY_STMT]},
    {"decorator_list", offsetof(Stmt, function_def.decorator_list), FIELD_NODE, COUNT_MANY, false, false, &ir_families[FAMILY_EXPR]},
    {"returns", offsetof(Stmt, function_def.returns), FIELD_NODE, COUNT_OPTIONAL, false, false, &ir_families[FAMILY_EXPR]},
    {"type_params", offsetof(Stmt, function_def.type_params), FIELD_NODE, COUNT_MANY, false, false, &ir_families[FAMILY_TYPE_PARAM]},
};

static const IrField fields_stmt_async_function_def[] = {
    {"at", offsetof(Stmt, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"roles", offsetof(Stmt, roles), FIELD_IDENTIFIER, COUNT_MANY, false, true, NULL},
    {"name", offsetof(Stmt, async_function_def.name), FIELD_IDENTIFIER, COUNT_ONE, false, false, NULL},
    {"args", offsetof(Stmt, async_function_def.args), FIELD_NODE, COUNT_ONE, false, false, &ir_families[FAMILY_ARGUMENTS]},
    {"body", offsetof(Stmt, async_function_def.body), FIELD_NODE, COUNT_MANY, false, false, &ir_families[FAMILY_STMT]},
    {"decorator_list", offsetof(Stmt, async_function_def.decorator_list), FIELD_NODE, COUNT_MANY, false, false, &ir_families[FAMILY_EXPR]},
    {"returns", offsetof(Stmt, async_function_def.returns), FIELD_NODE, COUNT_OPTIONAL, false, false, &ir_families[FAMILY_EXPR]},
    {"type_params", offsetof(Stmt, async_function_def.type_params), FIELD_NODE, COUNT_MANY, false, false, &ir_families[FAMILY_TYPE_PARAM]},
};

static const IrField fields_stmt_class_def[] = {
    {"at", offsetof(Stmt, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"roles", offsetof(Stmt, roles), FIELD_IDENTIFIER, COUNT_MANY, false, true, NULL},
    {"name", offsetof(Stmt, class_def.name), FIELD_IDENTIFIER, COUNT_ONE, false, false, NULL},
    {"bases", offsetof(Stmt, class_def.bases), FIELD_NODE, COUNT_MANY, false, false, &ir_families[FAMILY_EXPR]},
    {"keywords", offsetof(Stmt, class_def.keywords), FIELD_NODE, COUNT_MANY, false, false, &ir_families[FAMILY_KEYWORD]},
    {"body", offsetof(Stmt, class_def.body), FIELD_NODE, COUNT_MANY, false, false, &ir_families[FAMILY_STMT]},
    {"decorator_list", offsetof(Stmt, class_def.decorator_list), FIELD_NODE, COUNT_MANY, false, false, &ir_families[FAMILY_EXPR]},
    {"type_params", offsetof(Stmt, class_def.type_params), FIELD_NODE, COUNT_MANY, false, false, &ir_families[FAMILY_TYPE_PARAM]},
};

static const IrField fields_stmt_return[] = {
    {"at", offsetof(Stmt, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"roles", offsetof(Stmt, roles), FIELD_IDENTIFIER, COUNT_MANY, false, true, NULL},
    {"value", offsetof(Stmt, return_.value), FIELD_NODE, COUNT_OPTIONAL, false, false, &ir_families[FAMILY_EXPR]},
};

static const IrField fields_stmt_delete[] = {
    {"at", offsetof(Stmt, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"roles", offsetof(Stmt, roles), FIELD_IDENTIFIER, COUNT_MANY, false, true, NULL},
    {"targets", offsetof(Stmt, delete.targets), FIELD_NODE, COUNT_MANY, false, false, &ir_families[FAMILY_EXPR]},
};

static const IrField fields_stmt_assign[] = {
    {"at", offsetof(Stmt, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"roles", offsetof(Stmt, roles), FIELD_IDENTIFIER, COUNT_MANY, false, true, NULL},
    {"targets", offsetof(Stmt, assign.targets), FIELD_NODE, COUNT_MANY, false, false, &ir_families[FAMILY_EXPR]},
    {"value", offsetof(Stmt, assign.value), FIELD_NODE, COUNT_ONE, false, false, &ir_families[FAMILY_EXPR]},
};

static const IrField fields_stmt_type_alias[] = {
    {"at", offsetof(Stmt, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"roles", offsetof(Stmt, roles), FIELD_IDENTIFIER, COUNT_MANY, false, true, NULL},
    {"name", offsetof(Stmt, type_alias.name), FIELD_NODE, COUNT_ONE, false, false, &ir_families[FAMILY_EXPR]},
    {"type_params", offsetof(Stmt, type_alias.type_params), FIELD_NODE, COUNT_MANY, false, false, &ir_families[FAMILY_TYPE_PARAM]},
    {"value", offsetof(Stmt, type_alias.value), FIELD_NODE, COUNT_ONE, false, false, &ir_families[FAMILY_EXPR]},
};

static const IrField fields_stmt_aug_assign[] = {
    {"at", offsetof(Stmt, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"roles", offsetof(Stmt, roles), FIELD_IDENTIFIER, COUNT_MANY, false, true, NULL},
    {"target", offsetof(Stmt, aug_assign.target), FIELD_NODE, COUNT_ONE, false, false, &ir_families[FAMILY_EXPR]},
    {"op", offsetof(Stmt, aug_assign.op), FIELD_ENUM, COUNT_ONE, false, false, &ir_families[FAMILY_OPERATOR]},
    {"value", offsetof(Stmt, aug_assign.value), FIELD_NODE, COUNT_ONE, false, false, &ir_families[FAMILY_EXPR]},
};

static const IrField fields_stmt_ann_assign[] = {
    {"at", offsetof(Stmt, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"roles", offsetof(Stmt, roles), FIELD_IDENTIFIER, COUNT_MANY, false, true, NULL},
    {"target", offsetof(Stmt, ann_assign.target), FIELD_NODE, COUNT_ONE, false, false, &ir_families[FAMILY_EXPR]},
    {"annotation", offsetof(Stmt, ann_assign.annotation), FIELD_NODE, COUNT_ONE, false, false, &ir_families[FAMILY_EXPR]},
    {"value", offsetof(Stmt, ann_assign.value), FIELD_NODE, COUNT_OPTIONAL, false, false, &ir_families[FAMILY_EXPR]},
    {"simple", offsetof(Stmt, ann_assign.simple), FIELD_INT, COUNT_ONE, false, false, NULL},
};

static const IrField fields_stmt_for[] = {
    {"at", offsetof(Stmt, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"roles", offsetof(Stmt, roles), FIELD_IDENTIFIER, COUNT_MANY, false, true, NULL},
    {"target", offsetof(Stmt, for_.target), FIELD_NODE, COUNT_ONE, false, false, &ir_families[FAMILY_EXPR]},
    {"iter", offsetof(Stmt, for_.iter), FIELD_NODE, COUNT_ONE, false, false, &ir_families[FAMILY_EXPR]},
    {"body", offsetof(Stmt, for_.body), FIELD_NODE, COUNT_MANY, false, false, &ir_families[FAMILY_STMT]},
    {"orelse", offsetof(Stmt, for_.orelse), FIELD_NODE, COUNT_MANY, false, false, &ir_families[FAMILY_STMT]},
};

static const IrField fields_stmt_async_for[] = {
    {"at", offsetof(Stmt, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"roles", offsetof(Stmt, roles), FIELD_IDENTIFIER, COUNT_MANY, false, true, NULL},
    {"target", offsetof(Stmt, async_for.target), FIELD_NODE, COUNT_ONE, false, false, &ir_families[FAMILY_EXPR]},
    {"iter", offsetof(Stmt, async_for.iter), FIELD_NODE, COUNT_ONE, false, false, &ir_families[FAMILY_EXPR]},
    {"body", offsetof(Stmt, async_for.body), FIELD_NODE, COUNT_MANY, false, false, &ir_families[FAMILY_STMT]},
    {"orelse", offsetof(Stmt, async_for.orelse), FIELD_NODE, COUNT_MANY, false, false, &ir_families[FAMILY_STMT]},
};

static const IrField fields_stmt_while[] = {
    {"at", offsetof(Stmt, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"roles", offsetof(Stmt, roles), FIELD_IDENTIFIER, COUNT_MANY, false, true, NULL},
    {"test", offsetof(Stmt, while_.test), FIELD_NODE, COUNT_ONE, false, false, &ir_families[FAMILY_EXPR]},
    {"body", offsetof(Stmt, while_.body), FIELD_NODE, COUNT_MANY, false, false, &ir_families[FAMILY_STMT]},
    {"orelse", offsetof(Stmt, while_.orelse), FIELD_NODE, COUNT_MANY, false, false, &ir_families[FAMILY_STMT]},
};

static const IrField fields_stmt_if[] = {
    {"at", offsetof(Stmt, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"roles", offsetof(Stmt, roles), FIELD_IDENTIFIER, COUNT_MANY, false, true, NULL},
    {"test", offsetof(Stmt, if_.test), FIELD_NODE, COUNT_ONE, false, false, &ir_families[FAMILY_EXPR]},
    {"body", offsetof(Stmt, if_.body), FIELD_NODE, COUNT_MANY, false, false, &ir_families[FAMILY_STMT]},
    {"orelse", offsetof(Stmt, if_.orelse), FIELD_NODE, COUNT_MANY, true, false, &ir_families[FAMILY_STMT]},
};

static const IrField fields_stmt_with[] = {
    {"at", offsetof(Stmt, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"roles", offsetof(Stmt, roles), FIELD_IDENTIFIER, COUNT_MANY, false, true, NULL},
    {"items", offsetof(Stmt, with.items), FIELD_NODE, COUNT_MANY, false, false, &ir_families[FAMILY_WITHITEM]},
    {"body", offsetof(Stmt, with.body), FIELD_NODE, COUNT_MANY, false, false, &ir_families[FAMILY_STMT]},
};

static const IrField fields_stmt_async_with[] = {
    {"at", offsetof(Stmt, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"roles", offsetof(Stmt, roles), FIELD_IDENTIFIER, COUNT_MANY, false, true, NULL},
    {"items", offsetof(Stmt, async_with.items), FIELD_NODE, COUNT_MANY, false, false, &ir_families[FAMILY_WITHITEM]},
    {"body", offsetof(Stmt, async_with.body), FIELD_NODE, COUNT_MANY, false, false, &ir_families[FAMILY_STMT]},
};

static const IrField fields_stmt_match[] = {
    {"at", offsetof(Stmt, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"roles", offsetof(Stmt, roles), FIELD_IDENTIFIER, COUNT_MANY, false, true, NULL},
    {"subject", offsetof(Stmt, match.subject), FIELD_NODE, COUNT_ONE, false, false, &ir_families[FAMILY_EXPR]},
    {"cases", offsetof(Stmt, match.cases), FIELD_NODE, COUNT_MANY, false, false, &ir_families[FAMILY_MATCH_CASE]},
};

static const IrField fields_stmt_raise[] = {
    {"at", offsetof(Stmt, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"roles", offsetof(Stmt, roles), FIELD_IDENTIFIER, COUNT_MANY, false, true, NULL},
    {"exc", offsetof(Stmt, raise.exc), FIELD_NODE, COUNT_OPTIONAL, false, false, &ir_families[FAMILY_EXPR]},
    {"cause", offsetof(Stmt, raise.cause), FIELD_NODE, COUNT_OPTIONAL, false, false, &ir_families[FAMILY_EXPR]},
};

static const IrField fields_stmt_try[] = {
    {"at", offsetof(Stmt, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"roles", offsetof(Stmt, roles), FIELD_IDENTIFIER, COUNT_MANY, false, true, NULL},
    {"body", offsetof(Stmt, try.body), FIELD_NODE, COUNT_MANY, false, false, &ir_families[FAMILY_STMT]},
    {"handlers", offsetof(Stmt, try.handlers), FIELD_NODE, COUNT_MANY, false, false, &ir_families[FAMILY_EXCEPTHANDLER]},
    {"orelse", offsetof(Stmt, try.orelse), FIELD_NODE, COUNT_MANY, false, false, &ir_families[FAMILY_STMT]},
    {"finalbody", offsetof(Stmt, try.finalbody), FIELD_NODE, COUNT_MANY, false, false, &ir_families[FAMILY_STMT]},
};

static const IrField fields_stmt_try_star[] = {
    {"at", offsetof(Stmt, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"roles", offsetof(Stmt, roles), FIELD_IDENTIFIER, COUNT_MANY, false, true, NULL},
    {"body", offsetof(Stmt, try_star.body), FIELD_NODE, COUNT_MANY, false, false, &ir_families[FAMILY_STMT]},
    {"handlers", offsetof(Stmt, try_star.handlers), FIELD_NODE, COUNT_MANY, false, false, &ir_families[FAMILY_EXCEPTHANDLER]},
    {"orelse", offsetof(Stmt, try_star.orelse), FIELD_NODE, COUNT_MANY, false, false, &ir_families[FAMILY_STMT]},
    {"finalbody", offsetof(Stmt, try_star.finalbody), FIELD_NODE, COUNT_MANY, false, false, &ir_families[FAMILY_STMT]},
};

static const IrField fields_stmt_assert[] = {
    {"at", offsetof(Stmt, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"roles", offsetof(Stmt, roles), FIELD_IDENTIFIER, COUNT_MANY, false, true, NULL},
    {"test", offsetof(Stmt, assert.test), FIELD_NODE, COUNT_ONE, false, false, &ir_families[FAMILY_EXPR]},
    {"msg", offsetof(Stmt, assert.msg), FIELD_NODE, COUNT_OPTIONAL, false, false, &ir_families[FAMILY_EXPR]},
};

static const IrField fields_stmt_import[] = {
    {"at", offsetof(Stmt, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"roles", offsetof(Stmt, roles), FIELD_IDENTIFIER, COUNT_MANY, false, true, NULL},
    {"names", offsetof(Stmt, import.names), FIELD_NODE, COUNT_MANY, false, false, &ir_families[FAMILY_ALIAS]},
};

static const IrField fields_stmt_import_from[] = {
    {"at", offsetof(Stmt, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"roles", offsetof(Stmt, roles), FIELD_IDENTIFIER, COUNT_MANY, false, true, NULL},
    {"module", offsetof(Stmt, import_from.module), FIELD_IDENTIFIER, COUNT_OPTIONAL, false, false, NULL},
    {"names", offsetof(Stmt, import_from.names), FIELD_NODE, COUNT_MANY, false, false, &ir_families[FAMILY_ALIAS]},
    {"level", offsetof(Stmt, import_from.level), FIELD_INT, COUNT_ONE, false, false, NULL},
};

static const IrField fields_stmt_global[] = {
    {"at", offsetof(Stmt, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"roles", offsetof(Stmt, roles), FIELD_IDENTIFIER, COUNT_MANY, false, true, NULL},
    {"names", offsetof(Stmt, global.names), FIELD_IDENTIFIER, COUNT_MANY, false, false, NULL},
};

static const IrField fields_stmt_nonlocal[] = {
    {"at", offsetof(Stmt, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"roles", offsetof(Stmt, roles), FIELD_IDENTIFIER, COUNT_MANY, false, true, NULL},
    {"names", offsetof(Stmt, nonlocal.names), FIELD_IDENTIFIER, COUNT_MANY, false, false, NULL},
};

static const IrField fields_stmt_expr[] = {
    {"at", offsetof(Stmt, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"roles", offsetof(Stmt, roles), FIELD_IDENTIFIER, COUNT_MANY, false, true, NULL},
    {"value", offsetof(Stmt, expr.value), FIELD_NODE, COUNT_ONE, false, false, &ir_families[FAMILY_EXPR]},
};

static const IrField fields_stmt_pass[] = {
    {"at", offsetof(Stmt, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"roles", offsetof(Stmt, roles), FIELD_IDENTIFIER, COUNT_MANY, false, true, NULL},
};

static const IrField fields_stmt_break[] = {
    {"at", offsetof(Stmt, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"roles", offsetof(Stmt, roles), FIELD_IDENTIFIER, COUNT_MANY, false, true, NULL},
};

static const IrField fields_stmt_continue[] = {
    {"at", offsetof(Stmt, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"roles", offsetof(Stmt, roles), FIELD_IDENTIFIER, COUNT_MANY, false, true, NULL},
};

static const IrField fields_stmt_choreo[] = {
    {"at", offsetof(Stmt, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"roles", offsetof(Stmt, roles), FIELD_IDENTIFIER, COUNT_MANY, false, true, NULL},
    {"formals", offsetof(Stmt, choreo.formals), FIELD_IDENTIFIER, COUNT_MANY, false, false, NULL},
    {"communicates", offsetof(Stmt, choreo.communicates), FIELD_IDENTIFIER, COUNT_MANY, false, false, NULL},
    {"acts", offsetof(Stmt, choreo.acts), FIELD_IDENTIFIER, COUNT_MANY, false, false, NULL},
    {"def", offsetof(Stmt, choreo.def), FIELD_NODE, COUNT_ONE, false, false, &ir_families[FAMILY_STMT]},
};

static const IrField fields_stmt_offer[] = {
    {"at", offsetof(Stmt, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"roles", offsetof(Stmt, roles), FIELD_IDENTIFIER, COUNT_MANY, false, true, NULL},
    {"channel", offsetof(Stmt, offer.channel), FIELD_NODE, COUNT_ONE, false, false, &ir_families[FAMILY_EXPR]},
    {"enum", offsetof(Stmt, offer.enum_), FIELD_NODE, COUNT_ONE, false, false, &ir_families[FAMILY_EXPR]},
    {"arms", offsetof(Stmt, offer.arms), FIELD_NODE, COUNT_MANY, false, false, &ir_families[FAMILY_OFFER_ARM]},
};

static const IrField fields_stmt_stopped[] = {
    {"at", offsetof(Stmt, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"roles", offsetof(Stmt, roles), FIELD_IDENTIFIER, COUNT_MANY, false, true, NULL},
    {"peers", offsetof(Stmt, stopped.peers), FIELD_IDENTIFIER, COUNT_MANY, false, false, NULL},
};

static const IrField fields_stmt_tape[] = {
    {"at", offsetof(Stmt, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"roles", offsetof(Stmt, roles), FIELD_IDENTIFIER, COUNT_MANY, false, true, NULL},
};

static const IrField fields_stmt_keep[] = {
    {"at", offsetof(Stmt, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"roles", offsetof(Stmt, roles), FIELD_IDENTIFIER, COUNT_MANY, false, true, NULL},
    {"value", offsetof(Stmt, keep.value), FIELD_NODE, COUNT_ONE, false, false, &ir_families[FAMILY_EXPR]},
};

static const IrField fields_stmt_back[] = {
    {"at", offsetof(Stmt, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"roles", offsetof(Stmt, roles), FIELD_IDENTIFIER, COUNT_MANY, false, true, NULL},
    {"target", offsetof(Stmt, back.target), FIELD_NODE, COUNT_ONE, false, false, &ir_families[FAMILY_EXPR]},
};

static const IrForm forms_stmt[] = {
    {"FunctionDef", fields_stmt_function_def, 8, -1, 0u, 0xf8u, 0xffe070ull, offsetof(Stmt, function_def) + sizeof ((Stmt *)0)->function_def},
    {"AsyncFunctionDef", fields_stmt_async_function_def, 8, -1, 2u, 0xf8u, 0xffe070ull, offsetof(Stmt, async_function_def) + sizeof ((Stmt *)0)->async_function_def},
    {"ClassDef", fields_stmt_class_def, 8, -1, 0u, 0xf8u, 0xffe070ull, offsetof(Stmt, class_def) + sizeof ((Stmt *)0)->class_def},
    {"Return", fields_stmt_return, 3, -1, 0u, 0x4u, 0x83a020ull, offsetof(Stmt, return_) + sizeof ((Stmt *)0)->return_},
    {"Delete", fields_stmt_delete, 3, -1, 0u, 0x4u, 0x83a020ull, offsetof(Stmt, delete) + sizeof ((Stmt *)0)->delete},
    {"Assign", fields_stmt_assign, 4, -1, 0u, 0xcu, 0x83a020ull, offsetof(Stmt, assign) + sizeof ((Stmt *)0)->assign},
    {"TypeAlias", fields_stmt_type_alias, 5, -1, 0u, 0x1cu, 0xc3a020ull, offsetof(Stmt, type_alias) + sizeof ((Stmt *)0)->type_alias},
    {"AugAssign", fields_stmt_aug_assign, 5, -1, 4u, 0x14u, 0x83a020ull, offsetof(Stmt, aug_assign) + sizeof ((Stmt *)0)->aug_assign},
    {"AnnAssign", fields_stmt_ann_assign, 6, -1, 0u, 0x1cu, 0x83a020ull, offsetof(Stmt, ann_assign) + sizeof ((Stmt *)0)->ann_assign},
    {"For", fields_stmt_for, 6, -1, 0u, 0x3cu, 0xffe070ull, offsetof(Stmt, for_) + sizeof ((Stmt *)0)->for_},
    {"AsyncFor", fields_stmt_async_for, 6, -1, 2u, 0x3cu, 0xffe070ull, offsetof(Stmt, async_for) + sizeof ((Stmt *)0)->async_for},
    {"While", fields_stmt_while, 5, -1, 0u, 0x1cu, 0xffe070ull, offsetof(Stmt, while_) + sizeof ((Stmt *)0)->while_},
    {"If", fields_stmt_if, 5, 4, 0u, 0x1cu, 0xffe070ull, offsetof(Stmt, if_) + sizeof ((Stmt *)0)->if_},
    {"With", fields_stmt_with, 4, -1, 4u, 0xcu, 0xffe070ull, offsetof(Stmt, with) + sizeof ((Stmt *)0)->with},
    {"AsyncWith", fields_stmt_async_with, 4, -1, 2u, 0xcu, 0xffe070ull, offsetof(Stmt, async_with) + sizeof ((Stmt *)0)->async_with},
    {"Match", fields_stmt_match, 4, -1, 4u, 0xcu, 0xffe070ull, offsetof(Stmt, match) + sizeof ((Stmt *)0)->match},
    {"Raise", fields_stmt_raise, 4, -1, 0u, 0xcu, 0x83a020ull, offsetof(Stmt, raise) + sizeof ((Stmt *)0)->raise},
    {"Try", fields_stmt_try, 6, -1, 0u, 0x3cu, 0xffe070ull, offsetof(Stmt, try) + sizeof ((Stmt *)0)->try},
    {"TryStar", fields_stmt_try_star, 6, -1, 2u, 0x3cu, 0xffe070ull, offsetof(Stmt, try_star) + sizeof ((Stmt *)0)->try_star},
    {"Assert", fields_stmt_assert, 4, -1, 4u, 0xcu, 0x83a020ull, offsetof(Stmt, assert) + sizeof ((Stmt *)0)->assert},
    {"Import", fields_stmt_import, 3, -1, 0u, 0x4u, 0x40000ull, offsetof(Stmt, import) + sizeof ((Stmt *)0)->import},
    {"ImportFrom", fields_stmt_import_from, 5, -1, 0u, 0x8u, 0x40000ull, offsetof(Stmt, import_from) + sizeof ((Stmt *)0)->import_from},
    {"Global", fields_stmt_global, 3, -1, 0u, 0u, 0ull, offsetof(Stmt, global) + sizeof ((Stmt *)0)->global},
    {"Nonlocal", fields_stmt_nonlocal, 3, -1, 0u, 0u, 0ull, offsetof(Stmt, nonlocal) + sizeof ((Stmt *)0)->nonlocal},
    {"Expr", fields_stmt_expr, 3, -1, 0u, 0x4u, 0x83a020ull, offsetof(Stmt, expr) + sizeof ((Stmt *)0)->expr},
    {"Pass", fields_stmt_pass, 2, -1, 0u, 0u, 0ull, offsetof(Stmt, function_def)},
    {"Break", fields_stmt_break, 2, -1, 0u, 0u, 0ull, offsetof(Stmt, function_def)},
    {"Continue", fields_stmt_continue, 2, -1, 0u, 0u, 0ull, offsetof(Stmt, function_def)},
    {"Choreo", fields_stmt_choreo, 6, -1, 8u, 0x20u, 0xffe070ull, offsetof(Stmt, choreo) + sizeof ((Stmt *)0)->choreo},
    {"Offer", fields_stmt_offer, 5, -1, 1u, 0x1cu, 0xffe070ull, offsetof(Stmt, offer) + sizeof ((Stmt *)0)->offer},
    {"Stopped", fields_stmt_stopped, 3, -1, 1u, 0u, 0ull, offsetof(Stmt, stopped) + sizeof ((Stmt *)0)->stopped},
    {"Tape", fields_stmt_tape, 2, -1, 16u, 0u, 0ull, offsetof(Stmt, function_def)},
    {"Keep", fields_stmt_keep, 3, -1, 16u, 0x4u, 0x83a020ull, offsetof(Stmt, keep) + sizeof ((Stmt *)0)->keep},
    {"Back", fields_stmt_back, 3, -1, 16u, 0x4u, 0x83a020ull, offsetof(Stmt, back) + sizeof ((Stmt *)0)->back},
};

static const IrField fields_expr_bool_op[] = {
    {"at", offsetof(Expr, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"ty", offsetof(Expr, ty), FIELD_NODE, COUNT_OPTIONAL, false, true, &ir_families[FAMILY_TY]},
    {"roles", offsetof(Expr, roles), FIELD_IDENTIFIER, COUNT_MANY, false, true, NULL},
    {"op", offsetof(Expr, bool_op.op), FIELD_ENUM, COUNT_ONE, false, false, &ir_families[FAMILY_BOOLOP]},
    {"values", offsetof(Expr, bool_op.values), FIELD_NODE, COUNT_MANY, false, false, &ir_families[FAMILY_EXPR]},
};

static const IrField fields_expr_named_expr[] = {
    {"at", offsetof(Expr, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"ty", offsetof(Expr, ty), FIELD_NODE, COUNT_OPTIONAL, false, true, &ir_families[FAMILY_TY]},
    {"roles", offsetof(Expr, roles), FIELD_IDENTIFIER, COUNT_MANY, false, true, NULL},
    {"target", offsetof(Expr, named_expr.target), FIELD_NODE, COUNT_ONE, false, false, &ir_families[FAMILY_EXPR]},
    {"value", offsetof(Expr, named_expr.value), FIELD_NODE, COUNT_ONE, false, false, &ir_families[FAMILY_EXPR]},
};

static const IrField fields_expr_bin_op[] = {
    {"at", offsetof(Expr, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"ty", offsetof(Expr, ty), FIELD_NODE, COUNT_OPTIONAL, false, true, &ir_families[FAMILY_TY]},
    {"roles", offsetof(Expr, roles), FIELD_IDENTIFIER, COUNT_MANY, false, true, NULL},
    {"left", offsetof(Expr, bin_op.left), FIELD_NODE, COUNT_ONE, true, false, &ir_families[FAMILY_EXPR]},
    {"op", offsetof(Expr, bin_op.op), FIELD_ENUM, COUNT_ONE, false, false, &ir_families[FAMILY_OPERATOR]},
    {"right", offsetof(Expr, bin_op.right), FIELD_NODE, COUNT_ONE, false, false, &ir_families[FAMILY_EXPR]},
};

static const IrField fields_expr_unary_op[] = {
    {"at", offsetof(Expr, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"ty", offsetof(Expr, ty), FIELD_NODE, COUNT_OPTIONAL, false, true, &ir_families[FAMILY_TY]},
    {"roles", offsetof(Expr, roles), FIELD_IDENTIFIER, COUNT_MANY, false, true, NULL},
    {"op", offsetof(Expr, unary_op.op), FIELD_ENUM, COUNT_ONE, false, false, &ir_families[FAMILY_UNARYOP]},
    {"operand", offsetof(Expr, unary_op.operand), FIELD_NODE, COUNT_ONE, true, false, &ir_families[FAMILY_EXPR]},
};

static const IrField fields_expr_lambda[] = {
    {"at", offsetof(Expr, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"ty", offsetof(Expr, ty), FIELD_NODE, COUNT_OPTIONAL, false, true, &ir_families[FAMILY_TY]},
    {"roles", offsetof(Expr, roles), FIELD_IDENTIFIER, COUNT_MANY, false, true, NULL},
    {"args", offsetof(Expr, lambda.args), FIELD_NODE, COUNT_ONE, false, false, &ir_families[FAMILY_ARGUMENTS]},
    {"body", offsetof(Expr, lambda.body), FIELD_NODE, COUNT_ONE, false, false, &ir_families[FAMILY_EXPR]},
};

static const IrField fields_expr_if_exp[] = {
    {"at", offsetof(Expr, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"ty", offsetof(Expr, ty), FIELD_NODE, COUNT_OPTIONAL, false, true, &ir_families[FAMILY_TY]},
    {"roles", offsetof(Expr, roles), FIELD_IDENTIFIER, COUNT_MANY, false, true, NULL},
    {"test", offsetof(Expr, if_exp.test), FIELD_NODE, COUNT_ONE, false, false, &ir_families[FAMILY_EXPR]},
    {"body", offsetof(Expr, if_exp.body), FIELD_NODE, COUNT_ONE, false, false, &ir_families[FAMILY_EXPR]},
    {"orelse", offsetof(Expr, if_exp.orelse), FIELD_NODE, COUNT_ONE, true, false, &ir_families[FAMILY_EXPR]},
};

static const IrField fields_expr_dict[] = {
    {"at", offsetof(Expr, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"ty", offsetof(Expr, ty), FIELD_NODE, COUNT_OPTIONAL, false, true, &ir_families[FAMILY_TY]},
    {"roles", offsetof(Expr, roles), FIELD_IDENTIFIER, COUNT_MANY, false, true, NULL},
    {"keys", offsetof(Expr, dict.keys), FIELD_NODE, COUNT_SPARSE, false, false, &ir_families[FAMILY_EXPR]},
    {"values", offsetof(Expr, dict.values), FIELD_NODE, COUNT_MANY, false, false, &ir_families[FAMILY_EXPR]},
};

static const IrField fields_expr_set[] = {
    {"at", offsetof(Expr, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"ty", offsetof(Expr, ty), FIELD_NODE, COUNT_OPTIONAL, false, true, &ir_families[FAMILY_TY]},
    {"roles", offsetof(Expr, roles), FIELD_IDENTIFIER, COUNT_MANY, false, true, NULL},
    {"elts", offsetof(Expr, set.elts), FIELD_NODE, COUNT_MANY, false, false, &ir_families[FAMILY_EXPR]},
};

static const IrField fields_expr_list_comp[] = {
    {"at", offsetof(Expr, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"ty", offsetof(Expr, ty), FIELD_NODE, COUNT_OPTIONAL, false, true, &ir_families[FAMILY_TY]},
    {"roles", offsetof(Expr, roles), FIELD_IDENTIFIER, COUNT_MANY, false, true, NULL},
    {"elt", offsetof(Expr, list_comp.elt), FIELD_NODE, COUNT_ONE, false, false, &ir_families[FAMILY_EXPR]},
    {"generators", offsetof(Expr, list_comp.generators), FIELD_NODE, COUNT_MANY, false, false, &ir_families[FAMILY_COMPREHENSION]},
};

static const IrField fields_expr_set_comp[] = {
    {"at", offsetof(Expr, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"ty", offsetof(Expr, ty), FIELD_NODE, COUNT_OPTIONAL, false, true, &ir_families[FAMILY_TY]},
    {"roles", offsetof(Expr, roles), FIELD_IDENTIFIER, COUNT_MANY, false, true, NULL},
    {"elt", offsetof(Expr, set_comp.elt), FIELD_NODE, COUNT_ONE, false, false, &ir_families[FAMILY_EXPR]},
    {"generators", offsetof(Expr, set_comp.generators), FIELD_NODE, COUNT_MANY, false, false, &ir_families[FAMILY_COMPREHENSION]},
};

static const IrField fields_expr_dict_comp[] = {
    {"at", offsetof(Expr, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"ty", offsetof(Expr, ty), FIELD_NODE, COUNT_OPTIONAL, false, true, &ir_families[FAMILY_TY]},
    {"roles", offsetof(Expr, roles), FIELD_IDENTIFIER, COUNT_MANY, false, true, NULL},
    {"key", offsetof(Expr, dict_comp.key), FIELD_NODE, COUNT_ONE, false, false, &ir_families[FAMILY_EXPR]},
    {"value", offsetof(Expr, dict_comp.value), FIELD_NODE, COUNT_ONE, false, false, &ir_families[FAMILY_EXPR]},
    {"generators", offsetof(Expr, dict_comp.generators), FIELD_NODE, COUNT_MANY, false, false, &ir_families[FAMILY_COMPREHENSION]},
};

static const IrField fields_expr_generator_exp[] = {
    {"at", offsetof(Expr, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"ty", offsetof(Expr, ty), FIELD_NODE, COUNT_OPTIONAL, false, true, &ir_families[FAMILY_TY]},
    {"roles", offsetof(Expr, roles), FIELD_IDENTIFIER, COUNT_MANY, false, true, NULL},
    {"elt", offsetof(Expr, generator_exp.elt), FIELD_NODE, COUNT_ONE, false, false, &ir_families[FAMILY_EXPR]},
    {"generators", offsetof(Expr, generator_exp.generators), FIELD_NODE, COUNT_MANY, false, false, &ir_families[FAMILY_COMPREHENSION]},
};

static const IrField fields_expr_await[] = {
    {"at", offsetof(Expr, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"ty", offsetof(Expr, ty), FIELD_NODE, COUNT_OPTIONAL, false, true, &ir_families[FAMILY_TY]},
    {"roles", offsetof(Expr, roles), FIELD_IDENTIFIER, COUNT_MANY, false, true, NULL},
    {"value", offsetof(Expr, await.value), FIELD_NODE, COUNT_ONE, false, false, &ir_families[FAMILY_EXPR]},
};

static const IrField fields_expr_yield[] = {
    {"at", offsetof(Expr, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"ty", offsetof(Expr, ty), FIELD_NODE, COUNT_OPTIONAL, false, true, &ir_families[FAMILY_TY]},
    {"roles", offsetof(Expr, roles), FIELD_IDENTIFIER, COUNT_MANY, false, true, NULL},
    {"value", offsetof(Expr, yield.value), FIELD_NODE, COUNT_OPTIONAL, false, false, &ir_families[FAMILY_EXPR]},
};

static const IrField fields_expr_yield_from[] = {
    {"at", offsetof(Expr, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"ty", offsetof(Expr, ty), FIELD_NODE, COUNT_OPTIONAL, false, true, &ir_families[FAMILY_TY]},
    {"roles", offsetof(Expr, roles), FIELD_IDENTIFIER, COUNT_MANY, false, true, NULL},
    {"value", offsetof(Expr, yield_from.value), FIELD_NODE, COUNT_ONE, false, false, &ir_families[FAMILY_EXPR]},
};

static const IrField fields_expr_compare[] = {
    {"at", offsetof(Expr, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"ty", offsetof(Expr, ty), FIELD_NODE, COUNT_OPTIONAL, false, true, &ir_families[FAMILY_TY]},
    {"roles", offsetof(Expr, roles), FIELD_IDENTIFIER, COUNT_MANY, false, true, NULL},
    {"left", offsetof(Expr, compare.left), FIELD_NODE, COUNT_ONE, false, false, &ir_families[FAMILY_EXPR]},
    {"ops", offsetof(Expr, compare.ops), FIELD_ENUM, COUNT_MANY, false, false, &ir_families[FAMILY_CMPOP]},
    {"comparators", offsetof(Expr, compare.comparators), FIELD_NODE, COUNT_MANY, false, false, &ir_families[FAMILY_EXPR]},
};

static const IrField fields_expr_call[] = {
    {"at", offsetof(Expr, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"ty", offsetof(Expr, ty), FIELD_NODE, COUNT_OPTIONAL, false, true, &ir_families[FAMILY_TY]},
    {"roles", offsetof(Expr, roles), FIELD_IDENTIFIER, COUNT_MANY, false, true, NULL},
    {"func", offsetof(Expr, call.func), FIELD_NODE, COUNT_ONE, true, false, &ir_families[FAMILY_EXPR]},
    {"args", offsetof(Expr, call.args), FIELD_NODE, COUNT_MANY, false, false, &ir_families[FAMILY_EXPR]},
    {"keywords", offsetof(Expr, call.keywords), FIELD_NODE, COUNT_MANY, false, false, &ir_families[FAMILY_KEYWORD]},
};

static const IrField fields_expr_formatted_value[] = {
    {"at", offsetof(Expr, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"ty", offsetof(Expr, ty), FIELD_NODE, COUNT_OPTIONAL, false, true, &ir_families[FAMILY_TY]},
    {"roles", offsetof(Expr, roles), FIELD_IDENTIFIER, COUNT_MANY, false, true, NULL},
    {"value", offsetof(Expr, formatted_value.value), FIELD_NODE, COUNT_ONE, false, false, &ir_families[FAMILY_EXPR]},
    {"conversion", offsetof(Expr, formatted_value.conversion), FIELD_INT, COUNT_ONE, false, false, NULL},
    {"format_spec", offsetof(Expr, formatted_value.format_spec), FIELD_NODE, COUNT_OPTIONAL, false, false, &ir_families[FAMILY_EXPR]},
};

static const IrField fields_expr_joined_str[] = {
    {"at", offsetof(Expr, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"ty", offsetof(Expr, ty), FIELD_NODE, COUNT_OPTIONAL, false, true, &ir_families[FAMILY_TY]},
    {"roles", offsetof(Expr, roles), FIELD_IDENTIFIER, COUNT_MANY, false, true, NULL},
    {"values", offsetof(Expr, joined_str.values), FIELD_NODE, COUNT_MANY, false, false, &ir_families[FAMILY_EXPR]},
};

static const IrField fields_expr_constant[] = {
    {"at", offsetof(Expr, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"ty", offsetof(Expr, ty), FIELD_NODE, COUNT_OPTIONAL, false, true, &ir_families[FAMILY_TY]},
    {"roles", offsetof(Expr, roles), FIELD_IDENTIFIER, COUNT_MANY, false, true, NULL},
    {"value", offsetof(Expr, constant.value), FIELD_CONSTANT, COUNT_ONE, false, false, NULL},
    {"kind", offsetof(Expr, constant.kind), FIELD_IDENTIFIER, COUNT_OPTIONAL, false, false, NULL},
};

static const IrField fields_expr_attribute[] = {
    {"at", offsetof(Expr, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"ty", offsetof(Expr, ty), FIELD_NODE, COUNT_OPTIONAL, false, true, &ir_families[FAMILY_TY]},
    {"roles", offsetof(Expr, roles), FIELD_IDENTIFIER, COUNT_MANY, false, true, NULL},
    {"value", offsetof(Expr, attribute.value), FIELD_NODE, COUNT_ONE, true, false, &ir_families[FAMILY_EXPR]},
    {"attr", offsetof(Expr, attribute.attr), FIELD_IDENTIFIER, COUNT_ONE, false, false, NULL},
    {"ctx", offsetof(Expr, attribute.ctx), FIELD_ENUM, COUNT_ONE, false, false, &ir_families[FAMILY_EXPR_CONTEXT]},
};

static const IrField fields_expr_subscript[] = {
    {"at", offsetof(Expr, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"ty", offsetof(Expr, ty), FIELD_NODE, COUNT_OPTIONAL, false, true, &ir_families[FAMILY_TY]},
    {"roles", offsetof(Expr, roles), FIELD_IDENTIFIER, COUNT_MANY, false, true, NULL},
    {"value", offsetof(Expr, subscript.value), FIELD_NODE, COUNT_ONE, true, false, &ir_families[FAMILY_EXPR]},
    {"slice", offsetof(Expr, subscript.slice), FIELD_NODE, COUNT_ONE, false, false, &ir_families[FAMILY_EXPR]},
    {"ctx", offsetof(Expr, subscript.ctx), FIELD_ENUM, COUNT_ONE, false, false, &ir_families[FAMILY_EXPR_CONTEXT]},
};

static const IrField fields_expr_starred[] = {
    {"at", offsetof(Expr, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"ty", offsetof(Expr, ty), FIELD_NODE, COUNT_OPTIONAL, false, true, &ir_families[FAMILY_TY]},
    {"roles", offsetof(Expr, roles), FIELD_IDENTIFIER, COUNT_MANY, false, true, NULL},
    {"value", offsetof(Expr, starred.value), FIELD_NODE, COUNT_ONE, false, false, &ir_families[FAMILY_EXPR]},
    {"ctx", offsetof(Expr, starred.ctx), FIELD_ENUM, COUNT_ONE, false, false, &ir_families[FAMILY_EXPR_CONTEXT]},
};

static const IrField fields_expr_name[] = {
    {"at", offsetof(Expr, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"ty", offsetof(Expr, ty), FIELD_NODE, COUNT_OPTIONAL, false, true, &ir_families[FAMILY_TY]},
    {"roles", offsetof(Expr, roles), FIELD_IDENTIFIER, COUNT_MANY, false, true, NULL},
    {"id", offsetof(Expr, name.id), FIELD_IDENTIFIER, COUNT_ONE, false, false, NULL},
    {"ctx", offsetof(Expr, name.ctx), FIELD_ENUM, COUNT_ONE, false, false, &ir_families[FAMILY_EXPR_CONTEXT]},
};

static const IrField fields_expr_list[] = {
    {"at", offsetof(Expr, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"ty", offsetof(Expr, ty), FIELD_NODE, COUNT_OPTIONAL, false, true, &ir_families[FAMILY_TY]},
    {"roles", offsetof(Expr, roles), FIELD_IDENTIFIER, COUNT_MANY, false, true, NULL},
    {"elts", offsetof(Expr, list.elts), FIELD_NODE, COUNT_MANY, false, false, &ir_families[FAMILY_EXPR]},
    {"ctx", offsetof(Expr, list.ctx), FIELD_ENUM, COUNT_ONE, false, false, &ir_families[FAMILY_EXPR_CONTEXT]},
};

static const IrField fields_expr_tuple[] = {
    {"at", offsetof(Expr, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"ty", offsetof(Expr, ty), FIELD_NODE, COUNT_OPTIONAL, false, true, &ir_families[FAMILY_TY]},
    {"roles", offsetof(Expr, roles), FIELD_IDENTIFIER, COUNT_MANY, false, true, NULL},
    {"elts", offsetof(Expr, tuple.elts), FIELD_NODE, COUNT_MANY, false, false, &ir_families[FAMILY_EXPR]},
    {"ctx", offsetof(Expr, tuple.ctx), FIELD_ENUM, COUNT_ONE, false, false, &ir_families[FAMILY_EXPR_CONTEXT]},
};

static const IrField fields_expr_slice[] = {
    {"at", offsetof(Expr, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"ty", offsetof(Expr, ty), FIELD_NODE, COUNT_OPTIONAL, false, true, &ir_families[FAMILY_TY]},
    {"roles", offsetof(Expr, roles), FIELD_IDENTIFIER, COUNT_MANY, false, true, NULL},
    {"lower", offsetof(Expr, slice.lower), FIELD_NODE, COUNT_OPTIONAL, false, false, &ir_families[FAMILY_EXPR]},
    {"upper", offsetof(Expr, slice.upper), FIELD_NODE, COUNT_OPTIONAL, false, false, &ir_families[FAMILY_EXPR]},
    {"step", offsetof(Expr, slice.step), FIELD_NODE, COUNT_OPTIONAL, false, false, &ir_families[FAMILY_EXPR]},
};

static const IrField fields_expr_located[] = {
    {"at", offsetof(Expr, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"ty", offsetof(Expr, ty), FIELD_NODE, COUNT_OPTIONAL, false, true, &ir_families[FAMILY_TY]},
    {"roles", offsetof(Expr, roles), FIELD_IDENTIFIER, COUNT_MANY, false, true, NULL},
    {"type", offsetof(Expr, located.type), FIELD_NODE, COUNT_ONE, false, false, &ir_families[FAMILY_EXPR]},
    {"at_roles", offsetof(Expr, located.at_roles), FIELD_IDENTIFIER, COUNT_MANY, false, false, NULL},
};

static const IrField fields_expr_inst[] = {
    {"at", offsetof(Expr, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"ty", offsetof(Expr, ty), FIELD_NODE, COUNT_OPTIONAL, false, true, &ir_families[FAMILY_TY]},
    {"roles", offsetof(Expr, roles), FIELD_IDENTIFIER, COUNT_MANY, false, true, NULL},
    {"target", offsetof(Expr, inst.target), FIELD_NODE, COUNT_ONE, false, false, &ir_families[FAMILY_EXPR]},
    {"formals", offsetof(Expr, inst.formals), FIELD_IDENTIFIER, COUNT_MANY, false, false, NULL},
    {"actuals", offsetof(Expr, inst.actuals), FIELD_IDENTIFIER, COUNT_MANY, false, false, NULL},
    {"acts", offsetof(Expr, inst.acts), FIELD_IDENTIFIER, COUNT_MANY, false, false, NULL},
};

static const IrField fields_expr_pin[] = {
    {"at", offsetof(Expr, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"ty", offsetof(Expr, ty), FIELD_NODE, COUNT_OPTIONAL, false, true, &ir_families[FAMILY_TY]},
    {"roles", offsetof(Expr, roles), FIELD_IDENTIFIER, COUNT_MANY, false, true, NULL},
    {"value", offsetof(Expr, pin.value), FIELD_NODE, COUNT_ONE, false, false, &ir_families[FAMILY_EXPR]},
    {"at_roles", offsetof(Expr, pin.at_roles), FIELD_IDENTIFIER, COUNT_MANY, false, false, NULL},
};

static const IrField fields_expr_com[] = {
    {"at", offsetof(Expr, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"ty", offsetof(Expr, ty), FIELD_NODE, COUNT_OPTIONAL, false, true, &ir_families[FAMILY_TY]},
    {"roles", offsetof(Expr, roles), FIELD_IDENTIFIER, COUNT_MANY, false, true, NULL},
    {"channel", offsetof(Expr, com.channel), FIELD_NODE, COUNT_ONE, false, false, &ir_families[FAMILY_EXPR]},
    {"value", offsetof(Expr, com.value), FIELD_NODE, COUNT_ONE, false, false, &ir_families[FAMILY_EXPR]},
    {"sender", offsetof(Expr, com.sender), FIELD_IDENTIFIER, COUNT_ONE, false, false, NULL},
    {"receiver", offsetof(Expr, com.receiver), FIELD_IDENTIFIER, COUNT_ONE, false, false, NULL},
    {"payload", offsetof(Expr, com.payload), FIELD_NODE, COUNT_ONE, false, false, &ir_families[FAMILY_TY]},
    {"shared", offsetof(Expr, com.shared), FIELD_BOOL, COUNT_ONE, false, false, NULL},
};

static const IrField fields_expr_select[] = {
    {"at", offsetof(Expr, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"ty", offsetof(Expr, ty), FIELD_NODE, COUNT_OPTIONAL, false, true, &ir_families[FAMILY_TY]},
    {"roles", offsetof(Expr, roles), FIELD_IDENTIFIER, COUNT_MANY, false, true, NULL},
    {"channel", offsetof(Expr, select.channel), FIELD_NODE, COUNT_ONE, false, false, &ir_families[FAMILY_EXPR]},
    {"label", offsetof(Expr, select.label), FIELD_NODE, COUNT_ONE, false, false, &ir_families[FAMILY_EXPR]},
    {"sender", offsetof(Expr, select.sender), FIELD_IDENTIFIER, COUNT_ONE, false, false, NULL},
    {"receiver", offsetof(Expr, select.receiver), FIELD_IDENTIFIER, COUNT_ONE, false, false, NULL},
};

static const IrField fields_expr_unit[] = {
    {"at", offsetof(Expr, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"ty", offsetof(Expr, ty), FIELD_NODE, COUNT_OPTIONAL, false, true, &ir_families[FAMILY_TY]},
    {"roles", offsetof(Expr, roles), FIELD_IDENTIFIER, COUNT_MANY, false, true, NULL},
    {"effects", offsetof(Expr, unit.effects), FIELD_NODE, COUNT_MANY, false, false, &ir_families[FAMILY_EXPR]},
};

static const IrField fields_expr_send[] = {
    {"at", offsetof(Expr, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"ty", offsetof(Expr, ty), FIELD_NODE, COUNT_OPTIONAL, false, true, &ir_families[FAMILY_TY]},
    {"roles", offsetof(Expr, roles), FIELD_IDENTIFIER, COUNT_MANY, false, true, NULL},
    {"channel", offsetof(Expr, send.channel), FIELD_NODE, COUNT_ONE, false, false, &ir_families[FAMILY_EXPR]},
    {"value", offsetof(Expr, send.value), FIELD_NODE, COUNT_ONE, false, false, &ir_families[FAMILY_EXPR]},
    {"payload", offsetof(Expr, send.payload), FIELD_NODE, COUNT_ONE, false, false, &ir_families[FAMILY_TY]},
    {"shared", offsetof(Expr, send.shared), FIELD_BOOL, COUNT_ONE, false, false, NULL},
};

static const IrField fields_expr_recv[] = {
    {"at", offsetof(Expr, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"ty", offsetof(Expr, ty), FIELD_NODE, COUNT_OPTIONAL, false, true, &ir_families[FAMILY_TY]},
    {"roles", offsetof(Expr, roles), FIELD_IDENTIFIER, COUNT_MANY, false, true, NULL},
    {"channel", offsetof(Expr, recv.channel), FIELD_NODE, COUNT_ONE, false, false, &ir_families[FAMILY_EXPR]},
    {"payload", offsetof(Expr, recv.payload), FIELD_NODE, COUNT_ONE, false, false, &ir_families[FAMILY_TY]},
};

static const IrField fields_expr_send_label[] = {
    {"at", offsetof(Expr, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"ty", offsetof(Expr, ty), FIELD_NODE, COUNT_OPTIONAL, false, true, &ir_families[FAMILY_TY]},
    {"roles", offsetof(Expr, roles), FIELD_IDENTIFIER, COUNT_MANY, false, true, NULL},
    {"channel", offsetof(Expr, send_label.channel), FIELD_NODE, COUNT_ONE, false, false, &ir_families[FAMILY_EXPR]},
    {"label", offsetof(Expr, send_label.label), FIELD_NODE, COUNT_ONE, false, false, &ir_families[FAMILY_EXPR]},
};

static const IrField fields_expr_build[] = {
    {"at", offsetof(Expr, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"ty", offsetof(Expr, ty), FIELD_NODE, COUNT_OPTIONAL, false, true, &ir_families[FAMILY_TY]},
    {"roles", offsetof(Expr, roles), FIELD_IDENTIFIER, COUNT_MANY, false, true, NULL},
    {"index", offsetof(Expr, build.index), FIELD_IDENTIFIER, COUNT_ONE, false, false, NULL},
    {"size", offsetof(Expr, build.size), FIELD_NODE, COUNT_ONE, false, false, &ir_families[FAMILY_EXPR]},
    {"body", offsetof(Expr, build.body), FIELD_NODE, COUNT_ONE, false, false, &ir_families[FAMILY_EXPR]},
};

static const IrField fields_expr_gather[] = {
    {"at", offsetof(Expr, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"ty", offsetof(Expr, ty), FIELD_NODE, COUNT_OPTIONAL, false, true, &ir_families[FAMILY_TY]},
    {"roles", offsetof(Expr, roles), FIELD_IDENTIFIER, COUNT_MANY, false, true, NULL},
    {"shape", offsetof(Expr, gather.shape), FIELD_NODE, COUNT_MANY, false, false, &ir_families[FAMILY_EXPR]},
    {"array", offsetof(Expr, gather.array), FIELD_NODE, COUNT_ONE, false, false, &ir_families[FAMILY_EXPR]},
    {"indices", offsetof(Expr, gather.indices), FIELD_IDENTIFIER, COUNT_MANY, false, false, NULL},
    {"place", offsetof(Expr, gather.place), FIELD_NODE, COUNT_MANY, false, false, &ir_families[FAMILY_EXPR]},
};

static const IrField fields_expr_scatter[] = {
    {"at", offsetof(Expr, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"ty", offsetof(Expr, ty), FIELD_NODE, COUNT_OPTIONAL, false, true, &ir_families[FAMILY_TY]},
    {"roles", offsetof(Expr, roles), FIELD_IDENTIFIER, COUNT_MANY, false, true, NULL},
    {"shape", offsetof(Expr, scatter.shape), FIELD_NODE, COUNT_MANY, false, false, &ir_families[FAMILY_EXPR]},
    {"array", offsetof(Expr, scatter.array), FIELD_NODE, COUNT_ONE, false, false, &ir_families[FAMILY_EXPR]},
    {"indices", offsetof(Expr, scatter.indices), FIELD_IDENTIFIER, COUNT_MANY, false, false, NULL},
    {"place", offsetof(Expr, scatter.place), FIELD_NODE, COUNT_MANY, false, false, &ir_families[FAMILY_EXPR]},
};

static const IrField fields_expr_reduce[] = {
    {"at", offsetof(Expr, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"ty", offsetof(Expr, ty), FIELD_NODE, COUNT_OPTIONAL, false, true, &ir_families[FAMILY_TY]},
    {"roles", offsetof(Expr, roles), FIELD_IDENTIFIER, COUNT_MANY, false, true, NULL},
    {"op", offsetof(Expr, reduce.op), FIELD_ENUM, COUNT_ONE, false, false, &ir_families[FAMILY_REDUCTION]},
    {"array", offsetof(Expr, reduce.array), FIELD_NODE, COUNT_ONE, false, false, &ir_families[FAMILY_EXPR]},
};

static const IrField fields_expr_replicate[] = {
    {"at", offsetof(Expr, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"ty", offsetof(Expr, ty), FIELD_NODE, COUNT_OPTIONAL, false, true, &ir_families[FAMILY_TY]},
    {"roles", offsetof(Expr, roles), FIELD_IDENTIFIER, COUNT_MANY, false, true, NULL},
    {"size", offsetof(Expr, replicate.size), FIELD_NODE, COUNT_ONE, false, false, &ir_families[FAMILY_EXPR]},
    {"array", offsetof(Expr, replicate.array), FIELD_NODE, COUNT_ONE, false, false, &ir_families[FAMILY_EXPR]},
};

static const IrField fields_expr_transpose[] = {
    {"at", offsetof(Expr, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"ty", offsetof(Expr, ty), FIELD_NODE, COUNT_OPTIONAL, false, true, &ir_families[FAMILY_TY]},
    {"roles", offsetof(Expr, roles), FIELD_IDENTIFIER, COUNT_MANY, false, true, NULL},
    {"axes", offsetof(Expr, transpose.axes), FIELD_NODE, COUNT_MANY, false, false, &ir_families[FAMILY_EXPR]},
    {"array", offsetof(Expr, transpose.array), FIELD_NODE, COUNT_ONE, false, false, &ir_families[FAMILY_EXPR]},
};

static const IrField fields_expr_reshape[] = {
    {"at", offsetof(Expr, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"ty", offsetof(Expr, ty), FIELD_NODE, COUNT_OPTIONAL, false, true, &ir_families[FAMILY_TY]},
    {"roles", offsetof(Expr, roles), FIELD_IDENTIFIER, COUNT_MANY, false, true, NULL},
    {"shape", offsetof(Expr, reshape.shape), FIELD_NODE, COUNT_MANY, false, false, &ir_families[FAMILY_EXPR]},
    {"array", offsetof(Expr, reshape.array), FIELD_NODE, COUNT_ONE, false, false, &ir_families[FAMILY_EXPR]},
};

static const IrField fields_expr_stack[] = {
    {"at", offsetof(Expr, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"ty", offsetof(Expr, ty), FIELD_NODE, COUNT_OPTIONAL, false, true, &ir_families[FAMILY_TY]},
    {"roles", offsetof(Expr, roles), FIELD_IDENTIFIER, COUNT_MANY, false, true, NULL},
    {"parts", offsetof(Expr, stack.parts), FIELD_NODE, COUNT_MANY, false, false, &ir_families[FAMILY_EXPR]},
};

static const IrField fields_expr_where[] = {
    {"at", offsetof(Expr, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"ty", offsetof(Expr, ty), FIELD_NODE, COUNT_OPTIONAL, false, true, &ir_families[FAMILY_TY]},
    {"roles", offsetof(Expr, roles), FIELD_IDENTIFIER, COUNT_MANY, false, true, NULL},
    {"test", offsetof(Expr, where.test), FIELD_NODE, COUNT_ONE, false, false, &ir_families[FAMILY_EXPR]},
    {"on_true", offsetof(Expr, where.on_true), FIELD_NODE, COUNT_ONE, false, false, &ir_families[FAMILY_EXPR]},
    {"on_false", offsetof(Expr, where.on_false), FIELD_NODE, COUNT_ONE, false, false, &ir_families[FAMILY_EXPR]},
};

static const IrField fields_expr_one_hot[] = {
    {"at", offsetof(Expr, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"ty", offsetof(Expr, ty), FIELD_NODE, COUNT_OPTIONAL, false, true, &ir_families[FAMILY_TY]},
    {"roles", offsetof(Expr, roles), FIELD_IDENTIFIER, COUNT_MANY, false, true, NULL},
    {"shape", offsetof(Expr, one_hot.shape), FIELD_NODE, COUNT_MANY, false, false, &ir_families[FAMILY_EXPR]},
    {"place", offsetof(Expr, one_hot.place), FIELD_NODE, COUNT_MANY, false, false, &ir_families[FAMILY_EXPR]},
    {"value", offsetof(Expr, one_hot.value), FIELD_NODE, COUNT_ONE, false, false, &ir_families[FAMILY_EXPR]},
};

static const IrField fields_expr_loop[] = {
    {"at", offsetof(Expr, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"ty", offsetof(Expr, ty), FIELD_NODE, COUNT_OPTIONAL, false, true, &ir_families[FAMILY_TY]},
    {"roles", offsetof(Expr, roles), FIELD_IDENTIFIER, COUNT_MANY, false, true, NULL},
    {"size", offsetof(Expr, loop.size), FIELD_NODE, COUNT_ONE, false, false, &ir_families[FAMILY_EXPR]},
    {"down", offsetof(Expr, loop.down), FIELD_INT, COUNT_ONE, false, false, NULL},
    {"indices", offsetof(Expr, loop.indices), FIELD_IDENTIFIER, COUNT_MANY, false, false, NULL},
    {"before", offsetof(Expr, loop.before), FIELD_NODE, COUNT_MANY, false, false, &ir_families[FAMILY_EXPR]},
    {"bodies", offsetof(Expr, loop.bodies), FIELD_NODE, COUNT_MANY, false, false, &ir_families[FAMILY_EXPR]},
    {"which", offsetof(Expr, loop.which), FIELD_INT, COUNT_ONE, false, false, NULL},
};

static const IrField fields_expr_let[] = {
    {"at", offsetof(Expr, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"ty", offsetof(Expr, ty), FIELD_NODE, COUNT_OPTIONAL, false, true, &ir_families[FAMILY_TY]},
    {"roles", offsetof(Expr, roles), FIELD_IDENTIFIER, COUNT_MANY, false, true, NULL},
    {"name", offsetof(Expr, let.name), FIELD_IDENTIFIER, COUNT_ONE, false, false, NULL},
    {"value", offsetof(Expr, let.value), FIELD_NODE, COUNT_ONE, false, false, &ir_families[FAMILY_EXPR]},
    {"body", offsetof(Expr, let.body), FIELD_NODE, COUNT_ONE, true, false, &ir_families[FAMILY_EXPR]},
};

static const IrField fields_expr_let_rec[] = {
    {"at", offsetof(Expr, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"ty", offsetof(Expr, ty), FIELD_NODE, COUNT_OPTIONAL, false, true, &ir_families[FAMILY_TY]},
    {"roles", offsetof(Expr, roles), FIELD_IDENTIFIER, COUNT_MANY, false, true, NULL},
    {"name", offsetof(Expr, let_rec.name), FIELD_IDENTIFIER, COUNT_ONE, false, false, NULL},
    {"args", offsetof(Expr, let_rec.args), FIELD_NODE, COUNT_ONE, false, false, &ir_families[FAMILY_ARGUMENTS]},
    {"value", offsetof(Expr, let_rec.value), FIELD_NODE, COUNT_ONE, false, false, &ir_families[FAMILY_EXPR]},
    {"body", offsetof(Expr, let_rec.body), FIELD_NODE, COUNT_ONE, true, false, &ir_families[FAMILY_EXPR]},
};

static const IrField fields_expr_case[] = {
    {"at", offsetof(Expr, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"ty", offsetof(Expr, ty), FIELD_NODE, COUNT_OPTIONAL, false, true, &ir_families[FAMILY_TY]},
    {"roles", offsetof(Expr, roles), FIELD_IDENTIFIER, COUNT_MANY, false, true, NULL},
    {"value", offsetof(Expr, case_.value), FIELD_NODE, COUNT_ONE, false, false, &ir_families[FAMILY_EXPR]},
    {"left", offsetof(Expr, case_.left), FIELD_IDENTIFIER, COUNT_ONE, false, false, NULL},
    {"on_left", offsetof(Expr, case_.on_left), FIELD_NODE, COUNT_ONE, false, false, &ir_families[FAMILY_EXPR]},
    {"right", offsetof(Expr, case_.right), FIELD_IDENTIFIER, COUNT_ONE, false, false, NULL},
    {"on_right", offsetof(Expr, case_.on_right), FIELD_NODE, COUNT_ONE, false, false, &ir_families[FAMILY_EXPR]},
};

static const IrField fields_expr_inject[] = {
    {"at", offsetof(Expr, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"ty", offsetof(Expr, ty), FIELD_NODE, COUNT_OPTIONAL, false, true, &ir_families[FAMILY_TY]},
    {"roles", offsetof(Expr, roles), FIELD_IDENTIFIER, COUNT_MANY, false, true, NULL},
    {"right", offsetof(Expr, inject.right), FIELD_BOOL, COUNT_ONE, false, false, NULL},
    {"value", offsetof(Expr, inject.value), FIELD_NODE, COUNT_ONE, false, false, &ir_families[FAMILY_EXPR]},
};

static const IrField fields_expr_ref[] = {
    {"at", offsetof(Expr, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"ty", offsetof(Expr, ty), FIELD_NODE, COUNT_OPTIONAL, false, true, &ir_families[FAMILY_TY]},
    {"roles", offsetof(Expr, roles), FIELD_IDENTIFIER, COUNT_MANY, false, true, NULL},
    {"value", offsetof(Expr, ref.value), FIELD_NODE, COUNT_ONE, false, false, &ir_families[FAMILY_EXPR]},
};

static const IrField fields_expr_get[] = {
    {"at", offsetof(Expr, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"ty", offsetof(Expr, ty), FIELD_NODE, COUNT_OPTIONAL, false, true, &ir_families[FAMILY_TY]},
    {"roles", offsetof(Expr, roles), FIELD_IDENTIFIER, COUNT_MANY, false, true, NULL},
    {"ref", offsetof(Expr, get.ref), FIELD_NODE, COUNT_ONE, false, false, &ir_families[FAMILY_EXPR]},
};

static const IrField fields_expr_put[] = {
    {"at", offsetof(Expr, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"ty", offsetof(Expr, ty), FIELD_NODE, COUNT_OPTIONAL, false, true, &ir_families[FAMILY_TY]},
    {"roles", offsetof(Expr, roles), FIELD_IDENTIFIER, COUNT_MANY, false, true, NULL},
    {"ref", offsetof(Expr, put.ref), FIELD_NODE, COUNT_ONE, false, false, &ir_families[FAMILY_EXPR]},
    {"value", offsetof(Expr, put.value), FIELD_NODE, COUNT_ONE, false, false, &ir_families[FAMILY_EXPR]},
};

static const IrField fields_expr_shift[] = {
    {"at", offsetof(Expr, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"ty", offsetof(Expr, ty), FIELD_NODE, COUNT_OPTIONAL, false, true, &ir_families[FAMILY_TY]},
    {"roles", offsetof(Expr, roles), FIELD_IDENTIFIER, COUNT_MANY, false, true, NULL},
    {"k", offsetof(Expr, shift.k), FIELD_IDENTIFIER, COUNT_ONE, false, false, NULL},
    {"body", offsetof(Expr, shift.body), FIELD_NODE, COUNT_ONE, false, false, &ir_families[FAMILY_EXPR]},
};

static const IrField fields_expr_reset[] = {
    {"at", offsetof(Expr, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"ty", offsetof(Expr, ty), FIELD_NODE, COUNT_OPTIONAL, false, true, &ir_families[FAMILY_TY]},
    {"roles", offsetof(Expr, roles), FIELD_IDENTIFIER, COUNT_MANY, false, true, NULL},
    {"body", offsetof(Expr, reset.body), FIELD_NODE, COUNT_ONE, false, false, &ir_families[FAMILY_EXPR]},
};

static const IrForm forms_expr[] = {
    {"BoolOp", fields_expr_bool_op, 5, -1, 0u, 0x10u, 0x83a020ull, offsetof(Expr, bool_op) + sizeof ((Expr *)0)->bool_op},
    {"NamedExpr", fields_expr_named_expr, 5, -1, 4u, 0x18u, 0x83a020ull, offsetof(Expr, named_expr) + sizeof ((Expr *)0)->named_expr},
    {"BinOp", fields_expr_bin_op, 6, 3, 0u, 0x28u, 0x83a020ull, offsetof(Expr, bin_op) + sizeof ((Expr *)0)->bin_op},
    {"UnaryOp", fields_expr_unary_op, 5, 4, 0u, 0x10u, 0x83a020ull, offsetof(Expr, unary_op) + sizeof ((Expr *)0)->unary_op},
    {"Lambda", fields_expr_lambda, 5, -1, 0u, 0x18u, 0x83a020ull, offsetof(Expr, lambda) + sizeof ((Expr *)0)->lambda},
    {"IfExp", fields_expr_if_exp, 6, 5, 0u, 0x38u, 0x83a020ull, offsetof(Expr, if_exp) + sizeof ((Expr *)0)->if_exp},
    {"Dict", fields_expr_dict, 5, -1, 0u, 0x18u, 0x83a020ull, offsetof(Expr, dict) + sizeof ((Expr *)0)->dict},
    {"Set", fields_expr_set, 4, -1, 0u, 0x8u, 0x83a020ull, offsetof(Expr, set) + sizeof ((Expr *)0)->set},
    {"ListComp", fields_expr_list_comp, 5, -1, 4u, 0x18u, 0x83a020ull, offsetof(Expr, list_comp) + sizeof ((Expr *)0)->list_comp},
    {"SetComp", fields_expr_set_comp, 5, -1, 4u, 0x18u, 0x83a020ull, offsetof(Expr, set_comp) + sizeof ((Expr *)0)->set_comp},
    {"DictComp", fields_expr_dict_comp, 6, -1, 4u, 0x38u, 0x83a020ull, offsetof(Expr, dict_comp) + sizeof ((Expr *)0)->dict_comp},
    {"GeneratorExp", fields_expr_generator_exp, 5, -1, 4u, 0x18u, 0x83a020ull, offsetof(Expr, generator_exp) + sizeof ((Expr *)0)->generator_exp},
    {"Await", fields_expr_await, 4, -1, 2u, 0x8u, 0x83a020ull, offsetof(Expr, await) + sizeof ((Expr *)0)->await},
    {"Yield", fields_expr_yield, 4, -1, 2u, 0x8u, 0x83a020ull, offsetof(Expr, yield) + sizeof ((Expr *)0)->yield},
    {"YieldFrom", fields_expr_yield_from, 4, -1, 2u, 0x8u, 0x83a020ull, offsetof(Expr, yield_from) + sizeof ((Expr *)0)->yield_from},
    {"Compare", fields_expr_compare, 6, -1, 0u, 0x28u, 0x83a020ull, offsetof(Expr, compare) + sizeof ((Expr *)0)->compare},
    {"Call", fields_expr_call, 6, 3, 0u, 0x38u, 0x83a020ull, offsetof(Expr, call) + sizeof ((Expr *)0)->call},
    {"FormattedValue", fields_expr_formatted_value, 6, -1, 4u, 0x28u, 0x83a020ull, offsetof(Expr, formatted_value) + sizeof ((Expr *)0)->formatted_value},
    {"JoinedStr", fields_expr_joined_str, 4, -1, 4u, 0x8u, 0x83a020ull, offsetof(Expr, joined_str) + sizeof ((Expr *)0)->joined_str},
    {"Constant", fields_expr_constant, 5, -1, 0u, 0u, 0ull, offsetof(Expr, constant) + sizeof ((Expr *)0)->constant},
    {"Attribute", fields_expr_attribute, 6, 3, 0u, 0x8u, 0x83a020ull, offsetof(Expr, attribute) + sizeof ((Expr *)0)->attribute},
    {"Subscript", fields_expr_subscript, 6, 3, 0u, 0x18u, 0x83a020ull, offsetof(Expr, subscript) + sizeof ((Expr *)0)->subscript},
    {"Starred", fields_expr_starred, 5, -1, 0u, 0x8u, 0x83a020ull, offsetof(Expr, starred) + sizeof ((Expr *)0)->starred},
    {"Name", fields_expr_name, 5, -1, 0u, 0u, 0ull, offsetof(Expr, name) + sizeof ((Expr *)0)->name},
    {"List", fields_expr_list, 5, -1, 0u, 0x8u, 0x83a020ull, offsetof(Expr, list) + sizeof ((Expr *)0)->list},
    {"Tuple", fields_expr_tuple, 5, -1, 0u, 0x8u, 0x83a020ull, offsetof(Expr, tuple) + sizeof ((Expr *)0)->tuple},
    {"Slice", fields_expr_slice, 6, -1, 0u, 0x38u, 0x83a020ull, offsetof(Expr, slice) + sizeof ((Expr *)0)->slice},
    {"Located", fields_expr_located, 5, -1, 8u, 0x8u, 0x83a020ull, offsetof(Expr, located) + sizeof ((Expr *)0)->located},
    {"Inst", fields_expr_inst, 7, -1, 8u, 0x8u, 0x83a020ull, offsetof(Expr, inst) + sizeof ((Expr *)0)->inst},
    {"Pin", fields_expr_pin, 5, -1, 8u, 0x8u, 0x83a020ull, offsetof(Expr, pin) + sizeof ((Expr *)0)->pin},
    {"Com", fields_expr_com, 9, -1, 8u, 0x98u, 0x83a020ull, offsetof(Expr, com) + sizeof ((Expr *)0)->com},
    {"Select", fields_expr_select, 7, -1, 8u, 0x18u, 0x83a020ull, offsetof(Expr, select) + sizeof ((Expr *)0)->select},
    {"Unit", fields_expr_unit, 4, -1, 1u, 0x8u, 0x83a020ull, offsetof(Expr, unit) + sizeof ((Expr *)0)->unit},
    {"Send", fields_expr_send, 7, -1, 1u, 0x38u, 0x83a020ull, offsetof(Expr, send) + sizeof ((Expr *)0)->send},
    {"Recv", fields_expr_recv, 5, -1, 1u, 0x18u, 0x83a020ull, offsetof(Expr, recv) + sizeof ((Expr *)0)->recv},
    {"SendLabel", fields_expr_send_label, 5, -1, 1u, 0x18u, 0x83a020ull, offsetof(Expr, send_label) + sizeof ((Expr *)0)->send_label},
    {"Build", fields_expr_build, 6, -1, 32u, 0x30u, 0x83a020ull, offsetof(Expr, build) + sizeof ((Expr *)0)->build},
    {"Gather", fields_expr_gather, 7, -1, 32u, 0x58u, 0x83a020ull, offsetof(Expr, gather) + sizeof ((Expr *)0)->gather},
    {"Scatter", fields_expr_scatter, 7, -1, 32u, 0x58u, 0x83a020ull, offsetof(Expr, scatter) + sizeof ((Expr *)0)->scatter},
    {"Reduce", fields_expr_reduce, 5, -1, 32u, 0x10u, 0x83a020ull, offsetof(Expr, reduce) + sizeof ((Expr *)0)->reduce},
    {"Replicate", fields_expr_replicate, 5, -1, 32u, 0x18u, 0x83a020ull, offsetof(Expr, replicate) + sizeof ((Expr *)0)->replicate},
    {"Transpose", fields_expr_transpose, 5, -1, 32u, 0x18u, 0x83a020ull, offsetof(Expr, transpose) + sizeof ((Expr *)0)->transpose},
    {"Reshape", fields_expr_reshape, 5, -1, 32u, 0x18u, 0x83a020ull, offsetof(Expr, reshape) + sizeof ((Expr *)0)->reshape},
    {"Stack", fields_expr_stack, 4, -1, 32u, 0x8u, 0x83a020ull, offsetof(Expr, stack) + sizeof ((Expr *)0)->stack},
    {"Where", fields_expr_where, 6, -1, 32u, 0x38u, 0x83a020ull, offsetof(Expr, where) + sizeof ((Expr *)0)->where},
    {"OneHot", fields_expr_one_hot, 6, -1, 32u, 0x38u, 0x83a020ull, offsetof(Expr, one_hot) + sizeof ((Expr *)0)->one_hot},
    {"Loop", fields_expr_loop, 9, -1, 32u, 0xc8u, 0x83a020ull, offsetof(Expr, loop) + sizeof ((Expr *)0)->loop},
    {"Let", fields_expr_let, 6, 5, 64u, 0x30u, 0x83a020ull, offsetof(Expr, let) + sizeof ((Expr *)0)->let},
    {"LetRec", fields_expr_let_rec, 7, 6, 64u, 0x70u, 0x83a020ull, offsetof(Expr, let_rec) + sizeof ((Expr *)0)->let_rec},
    {"Case", fields_expr_case, 8, -1, 64u, 0xa8u, 0x83a020ull, offsetof(Expr, case_) + sizeof ((Expr *)0)->case_},
    {"Inject", fields_expr_inject, 5, -1, 64u, 0x10u, 0x83a020ull, offsetof(Expr, inject) + sizeof ((Expr *)0)->inject},
    {"Ref", fields_expr_ref, 4, -1, 64u, 0x8u, 0x83a020ull, offsetof(Expr, ref) + sizeof ((Expr *)0)->ref},
    {"Get", fields_expr_get, 4, -1, 64u, 0x8u, 0x83a020ull, offsetof(Expr, get) + sizeof ((Expr *)0)->get},
    {"Put", fields_expr_put, 5, -1, 64u, 0x18u, 0x83a020ull, offsetof(Expr, put) + sizeof ((Expr *)0)->put},
    {"Shift", fields_expr_shift, 5, -1, 64u, 0x10u, 0x83a020ull, offsetof(Expr, shift) + sizeof ((Expr *)0)->shift},
    {"Reset", fields_expr_reset, 4, -1, 64u, 0x8u, 0x83a020ull, offsetof(Expr, reset) + sizeof ((Expr *)0)->reset},
};

static const IrField fields_offer_arm_[] = {
    {"at", offsetof(OfferArm, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"label", offsetof(OfferArm, label), FIELD_NODE, COUNT_ONE, false, false, &ir_families[FAMILY_EXPR]},
    {"body", offsetof(OfferArm, body), FIELD_NODE, COUNT_MANY, false, false, &ir_families[FAMILY_STMT]},
};

static const IrForm forms_offer_arm[] = {
    {"OfferArm", fields_offer_arm_, 3, -1, 0u, 0x6u, 0xffe070ull, sizeof(OfferArm)},
};

static const IrForm forms_expr_context[] = {
    {"Load", NULL, 0, -1, 0u, 0u, 0ull, sizeof(ExprContext)},
    {"Store", NULL, 0, -1, 0u, 0u, 0ull, sizeof(ExprContext)},
    {"Del", NULL, 0, -1, 0u, 0u, 0ull, sizeof(ExprContext)},
};

static const IrForm forms_boolop[] = {
    {"And", NULL, 0, -1, 0u, 0u, 0ull, sizeof(Boolop)},
    {"Or", NULL, 0, -1, 0u, 0u, 0ull, sizeof(Boolop)},
};

static const IrForm forms_operator[] = {
    {"Add", NULL, 0, -1, 0u, 0u, 0ull, sizeof(Operator)},
    {"Sub", NULL, 0, -1, 0u, 0u, 0ull, sizeof(Operator)},
    {"Mult", NULL, 0, -1, 0u, 0u, 0ull, sizeof(Operator)},
    {"MatMult", NULL, 0, -1, 0u, 0u, 0ull, sizeof(Operator)},
    {"Div", NULL, 0, -1, 0u, 0u, 0ull, sizeof(Operator)},
    {"Mod", NULL, 0, -1, 0u, 0u, 0ull, sizeof(Operator)},
    {"Pow", NULL, 0, -1, 0u, 0u, 0ull, sizeof(Operator)},
    {"LShift", NULL, 0, -1, 0u, 0u, 0ull, sizeof(Operator)},
    {"RShift", NULL, 0, -1, 0u, 0u, 0ull, sizeof(Operator)},
    {"BitOr", NULL, 0, -1, 0u, 0u, 0ull, sizeof(Operator)},
    {"BitXor", NULL, 0, -1, 0u, 0u, 0ull, sizeof(Operator)},
    {"BitAnd", NULL, 0, -1, 0u, 0u, 0ull, sizeof(Operator)},
    {"FloorDiv", NULL, 0, -1, 0u, 0u, 0ull, sizeof(Operator)},
};

static const IrForm forms_reduction[] = {
    {"Sum", NULL, 0, -1, 0u, 0u, 0ull, sizeof(Reduction)},
    {"Max", NULL, 0, -1, 0u, 0u, 0ull, sizeof(Reduction)},
    {"Min", NULL, 0, -1, 0u, 0u, 0ull, sizeof(Reduction)},
    {"ArgMax", NULL, 0, -1, 0u, 0u, 0ull, sizeof(Reduction)},
    {"ArgMin", NULL, 0, -1, 0u, 0u, 0ull, sizeof(Reduction)},
};

static const IrForm forms_unaryop[] = {
    {"Invert", NULL, 0, -1, 0u, 0u, 0ull, sizeof(Unaryop)},
    {"Not", NULL, 0, -1, 0u, 0u, 0ull, sizeof(Unaryop)},
    {"UAdd", NULL, 0, -1, 0u, 0u, 0ull, sizeof(Unaryop)},
    {"USub", NULL, 0, -1, 0u, 0u, 0ull, sizeof(Unaryop)},
};

static const IrForm forms_cmpop[] = {
    {"Eq", NULL, 0, -1, 0u, 0u, 0ull, sizeof(Cmpop)},
    {"NotEq", NULL, 0, -1, 0u, 0u, 0ull, sizeof(Cmpop)},
    {"Lt", NULL, 0, -1, 0u, 0u, 0ull, sizeof(Cmpop)},
    {"LtE", NULL, 0, -1, 0u, 0u, 0ull, sizeof(Cmpop)},
    {"Gt", NULL, 0, -1, 0u, 0u, 0ull, sizeof(Cmpop)},
    {"GtE", NULL, 0, -1, 0u, 0u, 0ull, sizeof(Cmpop)},
    {"Is", NULL, 0, -1, 0u, 0u, 0ull, sizeof(Cmpop)},
    {"IsNot", NULL, 0, -1, 0u, 0u, 0ull, sizeof(Cmpop)},
    {"In", NULL, 0, -1, 0u, 0u, 0ull, sizeof(Cmpop)},
    {"NotIn", NULL, 0, -1, 0u, 0u, 0ull, sizeof(Cmpop)},
};

static const IrField fields_comprehension_[] = {
    {"target", offsetof(Comprehension, target), FIELD_NODE, COUNT_ONE, false, false, &ir_families[FAMILY_EXPR]},
    {"iter", offsetof(Comprehension, iter), FIELD_NODE, COUNT_ONE, false, false, &ir_families[FAMILY_EXPR]},
    {"ifs", offsetof(Comprehension, ifs), FIELD_NODE, COUNT_MANY, false, false, &ir_families[FAMILY_EXPR]},
    {"is_async", offsetof(Comprehension, is_async), FIELD_INT, COUNT_ONE, false, false, NULL},
};

static const IrForm forms_comprehension[] = {
    {"Comprehension", fields_comprehension_, 4, -1, 0u, 0x7u, 0x83a020ull, sizeof(Comprehension)},
};

static const IrField fields_excepthandler_except_handler[] = {
    {"at", offsetof(Excepthandler, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"ty", offsetof(Excepthandler, ty), FIELD_NODE, COUNT_OPTIONAL, false, true, &ir_families[FAMILY_TY]},
    {"type", offsetof(Excepthandler, except_handler.type), FIELD_NODE, COUNT_OPTIONAL, false, false, &ir_families[FAMILY_EXPR]},
    {"name", offsetof(Excepthandler, except_handler.name), FIELD_IDENTIFIER, COUNT_OPTIONAL, false, false, NULL},
    {"body", offsetof(Excepthandler, except_handler.body), FIELD_NODE, COUNT_MANY, false, false, &ir_families[FAMILY_STMT]},
};

static const IrForm forms_excepthandler[] = {
    {"ExceptHandler", fields_excepthandler_except_handler, 5, -1, 0u, 0x14u, 0xffe070ull, offsetof(Excepthandler, except_handler) + sizeof ((Excepthandler *)0)->except_handler},
};

static const IrField fields_arguments_[] = {
    {"posonlyargs", offsetof(Arguments, posonlyargs), FIELD_NODE, COUNT_MANY, false, false, &ir_families[FAMILY_ARG]},
    {"args", offsetof(Arguments, args), FIELD_NODE, COUNT_MANY, false, false, &ir_families[FAMILY_ARG]},
    {"vararg", offsetof(Arguments, vararg), FIELD_NODE, COUNT_OPTIONAL, false, false, &ir_families[FAMILY_ARG]},
    {"kwonlyargs", offsetof(Arguments, kwonlyargs), FIELD_NODE, COUNT_MANY, false, false, &ir_families[FAMILY_ARG]},
    {"kw_defaults", offsetof(Arguments, kw_defaults), FIELD_NODE, COUNT_SPARSE, false, false, &ir_families[FAMILY_EXPR]},
    {"kwarg", offsetof(Arguments, kwarg), FIELD_NODE, COUNT_OPTIONAL, false, false, &ir_families[FAMILY_ARG]},
    {"defaults", offsetof(Arguments, defaults), FIELD_NODE, COUNT_MANY, false, false, &ir_families[FAMILY_EXPR]},
};

static const IrForm forms_arguments[] = {
    {"Arguments", fields_arguments_, 7, -1, 0u, 0x7fu, 0x83a020ull, sizeof(Arguments)},
};

static const IrField fields_arg_[] = {
    {"at", offsetof(Arg, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"ty", offsetof(Arg, ty), FIELD_NODE, COUNT_OPTIONAL, false, true, &ir_families[FAMILY_TY]},
    {"arg", offsetof(Arg, arg), FIELD_IDENTIFIER, COUNT_ONE, false, false, NULL},
    {"annotation", offsetof(Arg, annotation), FIELD_NODE, COUNT_OPTIONAL, false, false, &ir_families[FAMILY_EXPR]},
};

static const IrForm forms_arg[] = {
    {"Arg", fields_arg_, 4, -1, 0u, 0x8u, 0x83a020ull, sizeof(Arg)},
};

static const IrField fields_keyword_[] = {
    {"at", offsetof(Keyword, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"arg", offsetof(Keyword, arg), FIELD_IDENTIFIER, COUNT_OPTIONAL, false, false, NULL},
    {"value", offsetof(Keyword, value), FIELD_NODE, COUNT_ONE, false, false, &ir_families[FAMILY_EXPR]},
};

static const IrForm forms_keyword[] = {
    {"Keyword", fields_keyword_, 3, -1, 0u, 0x4u, 0x83a020ull, sizeof(Keyword)},
};

static const IrField fields_alias_[] = {
    {"at", offsetof(Alias, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"name", offsetof(Alias, name), FIELD_IDENTIFIER, COUNT_ONE, false, false, NULL},
    {"asname", offsetof(Alias, asname), FIELD_IDENTIFIER, COUNT_OPTIONAL, false, false, NULL},
};

static const IrForm forms_alias[] = {
    {"Alias", fields_alias_, 3, -1, 0u, 0u, 0ull, sizeof(Alias)},
};

static const IrField fields_withitem_[] = {
    {"context_expr", offsetof(Withitem, context_expr), FIELD_NODE, COUNT_ONE, false, false, &ir_families[FAMILY_EXPR]},
    {"optional_vars", offsetof(Withitem, optional_vars), FIELD_NODE, COUNT_OPTIONAL, false, false, &ir_families[FAMILY_EXPR]},
};

static const IrForm forms_withitem[] = {
    {"Withitem", fields_withitem_, 2, -1, 0u, 0x3u, 0x83a020ull, sizeof(Withitem)},
};

static const IrField fields_match_case_[] = {
    {"pattern", offsetof(MatchCase, pattern), FIELD_NODE, COUNT_ONE, false, false, &ir_families[FAMILY_PATTERN]},
    {"guard", offsetof(MatchCase, guard), FIELD_NODE, COUNT_OPTIONAL, false, false, &ir_families[FAMILY_EXPR]},
    {"body", offsetof(MatchCase, body), FIELD_NODE, COUNT_MANY, false, false, &ir_families[FAMILY_STMT]},
};

static const IrForm forms_match_case[] = {
    {"MatchCase", fields_match_case_, 3, -1, 0u, 0x7u, 0xffe070ull, sizeof(MatchCase)},
};

static const IrField fields_pattern_match_value[] = {
    {"at", offsetof(Pattern, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"ty", offsetof(Pattern, ty), FIELD_NODE, COUNT_OPTIONAL, false, true, &ir_families[FAMILY_TY]},
    {"bound", offsetof(Pattern, bound), FIELD_NODE, COUNT_OPTIONAL, false, true, &ir_families[FAMILY_TY]},
    {"value", offsetof(Pattern, match_value.value), FIELD_NODE, COUNT_ONE, false, false, &ir_families[FAMILY_EXPR]},
};

static const IrField fields_pattern_match_singleton[] = {
    {"at", offsetof(Pattern, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"ty", offsetof(Pattern, ty), FIELD_NODE, COUNT_OPTIONAL, false, true, &ir_families[FAMILY_TY]},
    {"bound", offsetof(Pattern, bound), FIELD_NODE, COUNT_OPTIONAL, false, true, &ir_families[FAMILY_TY]},
    {"value", offsetof(Pattern, match_singleton.value), FIELD_CONSTANT, COUNT_ONE, false, false, NULL},
};

static const IrField fields_pattern_match_sequence[] = {
    {"at", offsetof(Pattern, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"ty", offsetof(Pattern, ty), FIELD_NODE, COUNT_OPTIONAL, false, true, &ir_families[FAMILY_TY]},
    {"bound", offsetof(Pattern, bound), FIELD_NODE, COUNT_OPTIONAL, false, true, &ir_families[FAMILY_TY]},
    {"patterns", offsetof(Pattern, match_sequence.patterns), FIELD_NODE, COUNT_MANY, false, false, &ir_families[FAMILY_PATTERN]},
};

static const IrField fields_pattern_match_mapping[] = {
    {"at", offsetof(Pattern, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"ty", offsetof(Pattern, ty), FIELD_NODE, COUNT_OPTIONAL, false, true, &ir_families[FAMILY_TY]},
    {"bound", offsetof(Pattern, bound), FIELD_NODE, COUNT_OPTIONAL, false, true, &ir_families[FAMILY_TY]},
    {"keys", offsetof(Pattern, match_mapping.keys), FIELD_NODE, COUNT_MANY, false, false, &ir_families[FAMILY_EXPR]},
    {"patterns", offsetof(Pattern, match_mapping.patterns), FIELD_NODE, COUNT_MANY, false, false, &ir_families[FAMILY_PATTERN]},
    {"rest", offsetof(Pattern, match_mapping.rest), FIELD_IDENTIFIER, COUNT_OPTIONAL, false, false, NULL},
};

static const IrField fields_pattern_match_class[] = {
    {"at", offsetof(Pattern, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"ty", offsetof(Pattern, ty), FIELD_NODE, COUNT_OPTIONAL, false, true, &ir_families[FAMILY_TY]},
    {"bound", offsetof(Pattern, bound), FIELD_NODE, COUNT_OPTIONAL, false, true, &ir_families[FAMILY_TY]},
    {"cls", offsetof(Pattern, match_class.cls), FIELD_NODE, COUNT_ONE, false, false, &ir_families[FAMILY_EXPR]},
    {"patterns", offsetof(Pattern, match_class.patterns), FIELD_NODE, COUNT_MANY, false, false, &ir_families[FAMILY_PATTERN]},
    {"kwd_attrs", offsetof(Pattern, match_class.kwd_attrs), FIELD_IDENTIFIER, COUNT_MANY, false, false, NULL},
    {"kwd_patterns", offsetof(Pattern, match_class.kwd_patterns), FIELD_NODE, COUNT_MANY, false, false, &ir_families[FAMILY_PATTERN]},
};

static const IrField fields_pattern_match_star[] = {
    {"at", offsetof(Pattern, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"ty", offsetof(Pattern, ty), FIELD_NODE, COUNT_OPTIONAL, false, true, &ir_families[FAMILY_TY]},
    {"bound", offsetof(Pattern, bound), FIELD_NODE, COUNT_OPTIONAL, false, true, &ir_families[FAMILY_TY]},
    {"name", offsetof(Pattern, match_star.name), FIELD_IDENTIFIER, COUNT_OPTIONAL, false, false, NULL},
};

static const IrField fields_pattern_match_as[] = {
    {"at", offsetof(Pattern, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"ty", offsetof(Pattern, ty), FIELD_NODE, COUNT_OPTIONAL, false, true, &ir_families[FAMILY_TY]},
    {"bound", offsetof(Pattern, bound), FIELD_NODE, COUNT_OPTIONAL, false, true, &ir_families[FAMILY_TY]},
    {"pattern", offsetof(Pattern, match_as.pattern), FIELD_NODE, COUNT_OPTIONAL, false, false, &ir_families[FAMILY_PATTERN]},
    {"name", offsetof(Pattern, match_as.name), FIELD_IDENTIFIER, COUNT_OPTIONAL, false, false, NULL},
};

static const IrField fields_pattern_match_or[] = {
    {"at", offsetof(Pattern, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"ty", offsetof(Pattern, ty), FIELD_NODE, COUNT_OPTIONAL, false, true, &ir_families[FAMILY_TY]},
    {"bound", offsetof(Pattern, bound), FIELD_NODE, COUNT_OPTIONAL, false, true, &ir_families[FAMILY_TY]},
    {"patterns", offsetof(Pattern, match_or.patterns), FIELD_NODE, COUNT_MANY, false, false, &ir_families[FAMILY_PATTERN]},
};

static const IrForm forms_pattern[] = {
    {"MatchValue", fields_pattern_match_value, 4, -1, 0u, 0x8u, 0x83a020ull, offsetof(Pattern, match_value) + sizeof ((Pattern *)0)->match_value},
    {"MatchSingleton", fields_pattern_match_singleton, 4, -1, 0u, 0u, 0ull, offsetof(Pattern, match_singleton) + sizeof ((Pattern *)0)->match_singleton},
    {"MatchSequence", fields_pattern_match_sequence, 4, -1, 0u, 0x8u, 0xa3a020ull, offsetof(Pattern, match_sequence) + sizeof ((Pattern *)0)->match_sequence},
    {"MatchMapping", fields_pattern_match_mapping, 6, -1, 0u, 0x18u, 0xa3a020ull, offsetof(Pattern, match_mapping) + sizeof ((Pattern *)0)->match_mapping},
    {"MatchClass", fields_pattern_match_class, 7, -1, 0u, 0x58u, 0xa3a020ull, offsetof(Pattern, match_class) + sizeof ((Pattern *)0)->match_class},
    {"MatchStar", fields_pattern_match_star, 4, -1, 0u, 0u, 0ull, offsetof(Pattern, match_star) + sizeof ((Pattern *)0)->match_star},
    {"MatchAs", fields_pattern_match_as, 5, -1, 0u, 0x8u, 0xa3a020ull, offsetof(Pattern, match_as) + sizeof ((Pattern *)0)->match_as},
    {"MatchOr", fields_pattern_match_or, 4, -1, 0u, 0x8u, 0xa3a020ull, offsetof(Pattern, match_or) + sizeof ((Pattern *)0)->match_or},
};

static const IrField fields_type_param_type_var[] = {
    {"at", offsetof(TypeParam, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"name", offsetof(TypeParam, type_var.name), FIELD_IDENTIFIER, COUNT_ONE, false, false, NULL},
    {"bound", offsetof(TypeParam, type_var.bound), FIELD_NODE, COUNT_OPTIONAL, false, false, &ir_families[FAMILY_EXPR]},
    {"default_value", offsetof(TypeParam, type_var.default_value), FIELD_NODE, COUNT_OPTIONAL, false, false, &ir_families[FAMILY_EXPR]},
};

static const IrField fields_type_param_param_spec[] = {
    {"at", offsetof(TypeParam, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"name", offsetof(TypeParam, param_spec.name), FIELD_IDENTIFIER, COUNT_ONE, false, false, NULL},
    {"default_value", offsetof(TypeParam, param_spec.default_value), FIELD_NODE, COUNT_OPTIONAL, false, false, &ir_families[FAMILY_EXPR]},
};

static const IrField fields_type_param_type_var_tuple[] = {
    {"at", offsetof(TypeParam, at), FIELD_SPAN, COUNT_ONE, false, false, NULL},
    {"name", offsetof(TypeParam, type_var_tuple.name), FIELD_IDENTIFIER, COUNT_ONE, false, false, NULL},
    {"default_value", offsetof(TypeParam, type_var_tuple.default_value), FIELD_NODE, COUNT_OPTIONAL, false, false, &ir_families[FAMILY_EXPR]},
};

static const IrForm forms_type_param[] = {
    {"TypeVar", fields_type_param_type_var, 4, -1, 0u, 0xcu, 0x83a020ull, offsetof(TypeParam, type_var) + sizeof ((TypeParam *)0)->type_var},
    {"ParamSpec", fields_type_param_param_spec, 3, -1, 0u, 0x4u, 0x83a020ull, offsetof(TypeParam, param_spec) + sizeof ((TypeParam *)0)->param_spec},
    {"TypeVarTuple", fields_type_param_type_var_tuple, 3, -1, 0u, 0x4u, 0x83a020ull, offsetof(TypeParam, type_var_tuple) + sizeof ((TypeParam *)0)->type_var_tuple},
};

static const IrField fields_ty_named[] = {
    {"name", offsetof(Ty, named.name), FIELD_IDENTIFIER, COUNT_ONE, false, false, NULL},
    {"args", offsetof(Ty, named.args), FIELD_NODE, COUNT_MANY, false, false, &ir_families[FAMILY_TY]},
};

static const IrField fields_ty_inst[] = {
    {"name", offsetof(Ty, inst.name), FIELD_IDENTIFIER, COUNT_ONE, false, false, NULL},
    {"args", offsetof(Ty, inst.args), FIELD_NODE, COUNT_MANY, false, false, &ir_families[FAMILY_TY]},
    {"actuals", offsetof(Ty, inst.actuals), FIELD_IDENTIFIER, COUNT_MANY, false, false, NULL},
};

static const IrField fields_ty_tuple[] = {
    {"items", offsetof(Ty, tuple.items), FIELD_NODE, COUNT_MANY, false, false, &ir_families[FAMILY_TY]},
};

static const IrField fields_ty_union[] = {
    {"items", offsetof(Ty, union_.items), FIELD_NODE, COUNT_MANY, false, false, &ir_families[FAMILY_TY]},
};

static const IrField fields_ty_callable[] = {
    {"params", offsetof(Ty, callable.params), FIELD_NODE, COUNT_MANY, false, false, &ir_families[FAMILY_TY]},
    {"result", offsetof(Ty, callable.result), FIELD_NODE, COUNT_ONE, false, false, &ir_families[FAMILY_TY]},
};

static const IrField fields_ty_literal[] = {
    {"value", offsetof(Ty, literal.value), FIELD_CONSTANT, COUNT_ONE, false, false, NULL},
};

static const IrField fields_ty_type_var[] = {
    {"name", offsetof(Ty, type_var.name), FIELD_IDENTIFIER, COUNT_ONE, false, false, NULL},
};

static const IrField fields_ty_placed[] = {
    {"of", offsetof(Ty, placed.of), FIELD_NODE, COUNT_ONE, false, false, &ir_families[FAMILY_TY]},
    {"at_roles", offsetof(Ty, placed.at_roles), FIELD_IDENTIFIER, COUNT_MANY, false, false, NULL},
};

static const IrForm forms_ty[] = {
    {"Poison", NULL, 0, -1, 0u, 0u, 0ull, offsetof(Ty, named)},
    {"Any", NULL, 0, -1, 0u, 0u, 0ull, offsetof(Ty, named)},
    {"NoneType", NULL, 0, -1, 0u, 0u, 0ull, offsetof(Ty, named)},
    {"Named", fields_ty_named, 2, -1, 0u, 0x2u, 0x800000ull, offsetof(Ty, named) + sizeof ((Ty *)0)->named},
    {"Inst", fields_ty_inst, 3, -1, 0u, 0x2u, 0x800000ull, offsetof(Ty, inst) + sizeof ((Ty *)0)->inst},
    {"Tuple", fields_ty_tuple, 1, -1, 0u, 0x1u, 0x800000ull, offsetof(Ty, tuple) + sizeof ((Ty *)0)->tuple},
    {"Union", fields_ty_union, 1, -1, 0u, 0x1u, 0x800000ull, offsetof(Ty, union_) + sizeof ((Ty *)0)->union_},
    {"Callable", fields_ty_callable, 2, -1, 0u, 0x3u, 0x800000ull, offsetof(Ty, callable) + sizeof ((Ty *)0)->callable},
    {"Literal", fields_ty_literal, 1, -1, 0u, 0u, 0ull, offsetof(Ty, literal) + sizeof ((Ty *)0)->literal},
    {"TypeVar", fields_ty_type_var, 1, -1, 0u, 0u, 0ull, offsetof(Ty, type_var) + sizeof ((Ty *)0)->type_var},
    {"Placed", fields_ty_placed, 2, -1, 0u, 0x1u, 0x800000ull, offsetof(Ty, placed) + sizeof ((Ty *)0)->placed},
};

static const IrFamily ir_families[FAMILY_COUNT] = {
    {FAMILY_UNIT, "unit", forms_unit, 2, sizeof(Unit), false, offsetof(Unit, kind), 0xffe07full},
    {FAMILY_ENDPOINT, "endpoint", forms_endpoint, 1, sizeof(Endpoint), true, 0, 0xffe076ull},
    {FAMILY_FRAGMENT, "fragment", forms_fragment, 1, sizeof(Fragment), true, 0, 0x4ull},
    {FAMILY_SITE, "site", forms_site, 1, sizeof(Site), true, 0, 0x8ull},
    {FAMILY_STMT, "stmt", forms_stmt, 34, sizeof(Stmt), false, offsetof(Stmt, kind), 0xffe070ull},
    {FAMILY_EXPR, "expr", forms_expr, 56, sizeof(Expr), false, offsetof(Expr, kind), 0x83a020ull},
    {FAMILY_OFFER_ARM, "offer_arm", forms_offer_arm, 1, sizeof(OfferArm), true, 0, 0xffe070ull},
    {FAMILY_EXPR_CONTEXT, "expr_context", forms_expr_context, 3, sizeof(ExprContext), false, 0, 0ull},
    {FAMILY_BOOLOP, "boolop", forms_boolop, 2, sizeof(Boolop), false, 0, 0ull},
    {FAMILY_OPERATOR, "operator", forms_operator, 13, sizeof(Operator), false, 0, 0ull},
    {FAMILY_REDUCTION, "reduction", forms_reduction, 5, sizeof(Reduction), false, 0, 0ull},
    {FAMILY_UNARYOP, "unaryop", forms_unaryop, 4, sizeof(Unaryop), false, 0, 0ull},
    {FAMILY_CMPOP, "cmpop", forms_cmpop, 10, sizeof(Cmpop), false, 0, 0ull},
    {FAMILY_COMPREHENSION, "comprehension", forms_comprehension, 1, sizeof(Comprehension), true, 0, 0x83a020ull},
    {FAMILY_EXCEPTHANDLER, "excepthandler", forms_excepthandler, 1, sizeof(Excepthandler), false, offsetof(Excepthandler, kind), 0xffe070ull},
    {FAMILY_ARGUMENTS, "arguments", forms_arguments, 1, sizeof(Arguments), true, 0, 0x83a020ull},
    {FAMILY_ARG, "arg", forms_arg, 1, sizeof(Arg), true, 0, 0x83a020ull},
    {FAMILY_KEYWORD, "keyword", forms_keyword, 1, sizeof(Keyword), true, 0, 0x83a020ull},
    {FAMILY_ALIAS, "alias", forms_alias, 1, sizeof(Alias), true, 0, 0x40000ull},
    {FAMILY_WITHITEM, "withitem", forms_withitem, 1, sizeof(Withitem), true, 0, 0x8ba020ull},
    {FAMILY_MATCH_CASE, "match_case", forms_match_case, 1, sizeof(MatchCase), true, 0, 0xffe070ull},
    {FAMILY_PATTERN, "pattern", forms_pattern, 8, sizeof(Pattern), false, offsetof(Pattern, kind), 0xa3a020ull},
    {FAMILY_TYPE_PARAM, "type_param", forms_type_param, 3, sizeof(TypeParam), false, offsetof(TypeParam, kind), 0xc3a020ull},
    {FAMILY_TY, "ty", forms_ty, 11, sizeof(Ty), false, offsetof(Ty, kind), 0x800000ull},
};

const IrFamily *ir_unit_family(void)
{
    return &ir_families[FAMILY_UNIT];
}

const char *unit_kind_name(UnitKind value)
{
    return forms_unit[value].name;
}

const Unit *unit_module(Arena *arena, StmtList body)
{
    Unit *node = arena_alloc(arena, offsetof(Unit, module) + sizeof ((Unit *)0)->module);
    node->kind = UNIT_MODULE;
    node->module.body = body;
    return node;
}

const Unit *unit_endpoints(Arena *arena, EndpointList endpoints, EndpointList modules, SiteList sites)
{
    Unit *node = arena_alloc(arena, offsetof(Unit, endpoints) + sizeof ((Unit *)0)->endpoints);
    node->kind = UNIT_ENDPOINTS;
    node->endpoints.endpoints = endpoints;
    node->endpoints.modules = modules;
    node->endpoints.sites = sites;
    return node;
}

#define F (&ir_families[FAMILY_UNIT])
void ir_walk_unit(const IrWalker *w, const Unit *node) { ir_walk_node(w, F, node); }
void ir_walk_units(const IrWalker *w, UnitList list)
{
    for (size_t i = 0; i < list.len; i++)
        ir_walk_node(w, F, list.at[i]);
}
const Unit *ir_map_unit(IrMapper *m, const Unit *node) { return ir_map_node(m, F, node); }
UnitList ir_map_units(IrMapper *m, UnitList list)
{
    IrList mapped = ir_map_list(m, F, (IrList){list.at, list.len});
    return (UnitList){mapped.at, mapped.len};
}
bool ir_equal_unit(const Unit *a, const Unit *b) { return ir_equal_node(F, a, b); }
bool ir_equal_units(UnitList a, UnitList b)
{
    return ir_equal_list(F, (IrList){a.at, a.len}, (IrList){b.at, b.len});
}
uint64_t ir_hash_unit(const Unit *node) { return ir_hash_node(F, node); }
bool ir_same_unit(const Unit *a, const Unit *b) { return ir_same_node(F, a, b); }
uint64_t ir_same_hash_unit(const Unit *node) { return ir_same_hash_node(F, node); }
void ir_print_unit(Buf *b, const Unit *node) { ir_print_node(b, F, node); }
const Unit *ir_read_unit(Arena *arena, Names *names, Text text, const char **error)
{
    return ir_read_node(arena, names, F, text, error);
}
bool ir_verify_unit(const Unit *node, IrTags allowed, const char **form, Span *at)
{
    return ir_verify_node(F, node, allowed, form, at);
}
IrTags ir_tags_of_unit(const Unit *node) { return ir_tags_of_node(F, node); }
#undef F

const Endpoint *endpoint_new(Arena *arena, Sym role, StmtList body, SymList types, SymList loads, FragmentList pieces)
{
    Endpoint *node = arena_alloc(arena, sizeof(Endpoint));
    node->role = role;
    node->body = body;
    node->types = types;
    node->loads = loads;
    node->pieces = pieces;
    return node;
}

#define F (&ir_families[FAMILY_ENDPOINT])
void ir_walk_endpoint(const IrWalker *w, const Endpoint *node) { ir_walk_node(w, F, node); }
void ir_walk_endpoints(const IrWalker *w, EndpointList list)
{
    for (size_t i = 0; i < list.len; i++)
        ir_walk_node(w, F, list.at[i]);
}
const Endpoint *ir_map_endpoint(IrMapper *m, const Endpoint *node) { return ir_map_node(m, F, node); }
EndpointList ir_map_endpoints(IrMapper *m, EndpointList list)
{
    IrList mapped = ir_map_list(m, F, (IrList){list.at, list.len});
    return (EndpointList){mapped.at, mapped.len};
}
bool ir_equal_endpoint(const Endpoint *a, const Endpoint *b) { return ir_equal_node(F, a, b); }
bool ir_equal_endpoints(EndpointList a, EndpointList b)
{
    return ir_equal_list(F, (IrList){a.at, a.len}, (IrList){b.at, b.len});
}
uint64_t ir_hash_endpoint(const Endpoint *node) { return ir_hash_node(F, node); }
bool ir_same_endpoint(const Endpoint *a, const Endpoint *b) { return ir_same_node(F, a, b); }
uint64_t ir_same_hash_endpoint(const Endpoint *node) { return ir_same_hash_node(F, node); }
void ir_print_endpoint(Buf *b, const Endpoint *node) { ir_print_node(b, F, node); }
const Endpoint *ir_read_endpoint(Arena *arena, Names *names, Text text, const char **error)
{
    return ir_read_node(arena, names, F, text, error);
}
bool ir_verify_endpoint(const Endpoint *node, IrTags allowed, const char **form, Span *at)
{
    return ir_verify_node(F, node, allowed, form, at);
}
IrTags ir_tags_of_endpoint(const Endpoint *node) { return ir_tags_of_node(F, node); }
#undef F

const Fragment *fragment_new(Arena *arena, Span at, Sym module, Sym name)
{
    Fragment *node = arena_alloc(arena, sizeof(Fragment));
    node->at = at;
    node->module = module;
    node->name = name;
    return node;
}

const Fragment *fragment_with_at(Arena *arena, const Fragment *node, Span at)
{
    Fragment *copy = ir_copy_node(arena, &ir_families[FAMILY_FRAGMENT], node);
    copy->at = at;
    return copy;
}

#define F (&ir_families[FAMILY_FRAGMENT])
void ir_walk_fragment(const IrWalker *w, const Fragment *node) { ir_walk_node(w, F, node); }
void ir_walk_fragments(const IrWalker *w, FragmentList list)
{
    for (size_t i = 0; i < list.len; i++)
        ir_walk_node(w, F, list.at[i]);
}
const Fragment *ir_map_fragment(IrMapper *m, const Fragment *node) { return ir_map_node(m, F, node); }
FragmentList ir_map_fragments(IrMapper *m, FragmentList list)
{
    IrList mapped = ir_map_list(m, F, (IrList){list.at, list.len});
    return (FragmentList){mapped.at, mapped.len};
}
bool ir_equal_fragment(const Fragment *a, const Fragment *b) { return ir_equal_node(F, a, b); }
bool ir_equal_fragments(FragmentList a, FragmentList b)
{
    return ir_equal_list(F, (IrList){a.at, a.len}, (IrList){b.at, b.len});
}
uint64_t ir_hash_fragment(const Fragment *node) { return ir_hash_node(F, node); }
bool ir_same_fragment(const Fragment *a, const Fragment *b) { return ir_same_node(F, a, b); }
uint64_t ir_same_hash_fragment(const Fragment *node) { return ir_same_hash_node(F, node); }
void ir_print_fragment(Buf *b, const Fragment *node) { ir_print_node(b, F, node); }
const Fragment *ir_read_fragment(Arena *arena, Names *names, Text text, const char **error)
{
    return ir_read_node(arena, names, F, text, error);
}
bool ir_verify_fragment(const Fragment *node, IrTags allowed, const char **form, Span *at)
{
    return ir_verify_node(F, node, allowed, form, at);
}
IrTags ir_tags_of_fragment(const Fragment *node) { return ir_tags_of_node(F, node); }
#undef F

const Site *site_new(Arena *arena, Span at, int number)
{
    Site *node = arena_alloc(arena, sizeof(Site));
    node->at = at;
    node->number = number;
    return node;
}

const Site *site_with_at(Arena *arena, const Site *node, Span at)
{
    Site *copy = ir_copy_node(arena, &ir_families[FAMILY_SITE], node);
    copy->at = at;
    return copy;
}

#define F (&ir_families[FAMILY_SITE])
void ir_walk_site(const IrWalker *w, const Site *node) { ir_walk_node(w, F, node); }
void ir_walk_sites(const IrWalker *w, SiteList list)
{
    for (size_t i = 0; i < list.len; i++)
        ir_walk_node(w, F, list.at[i]);
}
const Site *ir_map_site(IrMapper *m, const Site *node) { return ir_map_node(m, F, node); }
SiteList ir_map_sites(IrMapper *m, SiteList list)
{
    IrList mapped = ir_map_list(m, F, (IrList){list.at, list.len});
    return (SiteList){mapped.at, mapped.len};
}
bool ir_equal_site(const Site *a, const Site *b) { return ir_equal_node(F, a, b); }
bool ir_equal_sites(SiteList a, SiteList b)
{
    return ir_equal_list(F, (IrList){a.at, a.len}, (IrList){b.at, b.len});
}
uint64_t ir_hash_site(const Site *node) { return ir_hash_node(F, node); }
bool ir_same_site(const Site *a, const Site *b) { return ir_same_node(F, a, b); }
uint64_t ir_same_hash_site(const Site *node) { return ir_same_hash_node(F, node); }
void ir_print_site(Buf *b, const Site *node) { ir_print_node(b, F, node); }
const Site *ir_read_site(Arena *arena, Names *names, Text text, const char **error)
{
    return ir_read_node(arena, names, F, text, error);
}
bool ir_verify_site(const Site *node, IrTags allowed, const char **form, Span *at)
{
    return ir_verify_node(F, node, allowed, form, at);
}
IrTags ir_tags_of_site(const Site *node) { return ir_tags_of_node(F, node); }
#undef F

const char *stmt_kind_name(StmtKind value)
{
    return forms_stmt[value].name;
}

const Stmt *stmt_function_def(Arena *arena, Span at, Sym name, const Arguments *args, StmtList body, ExprList decorator_list, const Expr *returns, TypeParamList type_params)
{
    Stmt *node = arena_alloc(arena, offsetof(Stmt, function_def) + sizeof ((Stmt *)0)->function_def);
    node->kind = STMT_FUNCTION_DEF;
    node->at = at;
    node->function_def.name = name;
    node->function_def.args = args;
    node->function_def.body = body;
    node->function_def.decorator_list = decorator_list;
    node->function_def.returns = returns;
    node->function_def.type_params = type_params;
    return node;
}

const Stmt *stmt_async_function_def(Arena *arena, Span at, Sym name, const Arguments *args, StmtList body, ExprList decorator_list, const Expr *returns, TypeParamList type_params)
{
    Stmt *node = arena_alloc(arena, offsetof(Stmt, async_function_def) + sizeof ((Stmt *)0)->async_function_def);
    node->kind = STMT_ASYNC_FUNCTION_DEF;
    node->at = at;
    node->async_function_def.name = name;
    node->async_function_def.args = args;
    node->async_function_def.body = body;
    node->async_function_def.decorator_list = decorator_list;
    node->async_function_def.returns = returns;
    node->async_function_def.type_params = type_params;
    return node;
}

const Stmt *stmt_class_def(Arena *arena, Span at, Sym name, ExprList bases, KeywordList keywords, StmtList body, ExprList decorator_list, TypeParamList type_params)
{
    Stmt *node = arena_alloc(arena, offsetof(Stmt, class_def) + sizeof ((Stmt *)0)->class_def);
    node->kind = STMT_CLASS_DEF;
    node->at = at;
    node->class_def.name = name;
    node->class_def.bases = bases;
    node->class_def.keywords = keywords;
    node->class_def.body = body;
    node->class_def.decorator_list = decorator_list;
    node->class_def.type_params = type_params;
    return node;
}

const Stmt *stmt_return(Arena *arena, Span at, const Expr *value)
{
    Stmt *node = arena_alloc(arena, offsetof(Stmt, return_) + sizeof ((Stmt *)0)->return_);
    node->kind = STMT_RETURN;
    node->at = at;
    node->return_.value = value;
    return node;
}

const Stmt *stmt_delete(Arena *arena, Span at, ExprList targets)
{
    Stmt *node = arena_alloc(arena, offsetof(Stmt, delete) + sizeof ((Stmt *)0)->delete);
    node->kind = STMT_DELETE;
    node->at = at;
    node->delete.targets = targets;
    return node;
}

const Stmt *stmt_assign(Arena *arena, Span at, ExprList targets, const Expr *value)
{
    Stmt *node = arena_alloc(arena, offsetof(Stmt, assign) + sizeof ((Stmt *)0)->assign);
    node->kind = STMT_ASSIGN;
    node->at = at;
    node->assign.targets = targets;
    node->assign.value = value;
    return node;
}

const Stmt *stmt_type_alias(Arena *arena, Span at, const Expr *name, TypeParamList type_params, const Expr *value)
{
    Stmt *node = arena_alloc(arena, offsetof(Stmt, type_alias) + sizeof ((Stmt *)0)->type_alias);
    node->kind = STMT_TYPE_ALIAS;
    node->at = at;
    node->type_alias.name = name;
    node->type_alias.type_params = type_params;
    node->type_alias.value = value;
    return node;
}

const Stmt *stmt_aug_assign(Arena *arena, Span at, const Expr *target, Operator op, const Expr *value)
{
    Stmt *node = arena_alloc(arena, offsetof(Stmt, aug_assign) + sizeof ((Stmt *)0)->aug_assign);
    node->kind = STMT_AUG_ASSIGN;
    node->at = at;
    node->aug_assign.target = target;
    node->aug_assign.op = op;
    node->aug_assign.value = value;
    return node;
}

const Stmt *stmt_ann_assign(Arena *arena, Span at, const Expr *target, const Expr *annotation, const Expr *value, int simple)
{
    Stmt *node = arena_alloc(arena, offsetof(Stmt, ann_assign) + sizeof ((Stmt *)0)->ann_assign);
    node->kind = STMT_ANN_ASSIGN;
    node->at = at;
    node->ann_assign.target = target;
    node->ann_assign.annotation = annotation;
    node->ann_assign.value = value;
    node->ann_assign.simple = simple;
    return node;
}

const Stmt *stmt_for(Arena *arena, Span at, const Expr *target, const Expr *iter, StmtList body, StmtList orelse)
{
    Stmt *node = arena_alloc(arena, offsetof(Stmt, for_) + sizeof ((Stmt *)0)->for_);
    node->kind = STMT_FOR;
    node->at = at;
    node->for_.target = target;
    node->for_.iter = iter;
    node->for_.body = body;
    node->for_.orelse = orelse;
    return node;
}

const Stmt *stmt_async_for(Arena *arena, Span at, const Expr *target, const Expr *iter, StmtList body, StmtList orelse)
{
    Stmt *node = arena_alloc(arena, offsetof(Stmt, async_for) + sizeof ((Stmt *)0)->async_for);
    node->kind = STMT_ASYNC_FOR;
    node->at = at;
    node->async_for.target = target;
    node->async_for.iter = iter;
    node->async_for.body = body;
    node->async_for.orelse = orelse;
    return node;
}

const Stmt *stmt_while(Arena *arena, Span at, const Expr *test, StmtList body, StmtList orelse)
{
    Stmt *node = arena_alloc(arena, offsetof(Stmt, while_) + sizeof ((Stmt *)0)->while_);
    node->kind = STMT_WHILE;
    node->at = at;
    node->while_.test = test;
    node->while_.body = body;
    node->while_.orelse = orelse;
    return node;
}

const Stmt *stmt_if(Arena *arena, Span at, const Expr *test, StmtList body, StmtList orelse)
{
    Stmt *node = arena_alloc(arena, offsetof(Stmt, if_) + sizeof ((Stmt *)0)->if_);
    node->kind = STMT_IF;
    node->at = at;
    node->if_.test = test;
    node->if_.body = body;
    node->if_.orelse = orelse;
    return node;
}

const Stmt *stmt_with(Arena *arena, Span at, WithitemList items, StmtList body)
{
    Stmt *node = arena_alloc(arena, offsetof(Stmt, with) + sizeof ((Stmt *)0)->with);
    node->kind = STMT_WITH;
    node->at = at;
    node->with.items = items;
    node->with.body = body;
    return node;
}

const Stmt *stmt_async_with(Arena *arena, Span at, WithitemList items, StmtList body)
{
    Stmt *node = arena_alloc(arena, offsetof(Stmt, async_with) + sizeof ((Stmt *)0)->async_with);
    node->kind = STMT_ASYNC_WITH;
    node->at = at;
    node->async_with.items = items;
    node->async_with.body = body;
    return node;
}

const Stmt *stmt_match(Arena *arena, Span at, const Expr *subject, MatchCaseList cases)
{
    Stmt *node = arena_alloc(arena, offsetof(Stmt, match) + sizeof ((Stmt *)0)->match);
    node->kind = STMT_MATCH;
    node->at = at;
    node->match.subject = subject;
    node->match.cases = cases;
    return node;
}

const Stmt *stmt_raise(Arena *arena, Span at, const Expr *exc, const Expr *cause)
{
    Stmt *node = arena_alloc(arena, offsetof(Stmt, raise) + sizeof ((Stmt *)0)->raise);
    node->kind = STMT_RAISE;
    node->at = at;
    node->raise.exc = exc;
    node->raise.cause = cause;
    return node;
}

const Stmt *stmt_try(Arena *arena, Span at, StmtList body, ExcepthandlerList handlers, StmtList orelse, StmtList finalbody)
{
    Stmt *node = arena_alloc(arena, offsetof(Stmt, try) + sizeof ((Stmt *)0)->try);
    node->kind = STMT_TRY;
    node->at = at;
    node->try.body = body;
    node->try.handlers = handlers;
    node->try.orelse = orelse;
    node->try.finalbody = finalbody;
    return node;
}

const Stmt *stmt_try_star(Arena *arena, Span at, StmtList body, ExcepthandlerList handlers, StmtList orelse, StmtList finalbody)
{
    Stmt *node = arena_alloc(arena, offsetof(Stmt, try_star) + sizeof ((Stmt *)0)->try_star);
    node->kind = STMT_TRY_STAR;
    node->at = at;
    node->try_star.body = body;
    node->try_star.handlers = handlers;
    node->try_star.orelse = orelse;
    node->try_star.finalbody = finalbody;
    return node;
}

const Stmt *stmt_assert(Arena *arena, Span at, const Expr *test, const Expr *msg)
{
    Stmt *node = arena_alloc(arena, offsetof(Stmt, assert) + sizeof ((Stmt *)0)->assert);
    node->kind = STMT_ASSERT;
    node->at = at;
    node->assert.test = test;
    node->assert.msg = msg;
    return node;
}

const Stmt *stmt_import(Arena *arena, Span at, AliasList names)
{
    Stmt *node = arena_alloc(arena, offsetof(Stmt, import) + sizeof ((Stmt *)0)->import);
    node->kind = STMT_IMPORT;
    node->at = at;
    node->import.names = names;
    return node;
}

const Stmt *stmt_import_from(Arena *arena, Span at, Sym module, AliasList names, int level)
{
    Stmt *node = arena_alloc(arena, offsetof(Stmt, import_from) + sizeof ((Stmt *)0)->import_from);
    node->kind = STMT_IMPORT_FROM;
    node->at = at;
    node->import_from.module = module;
    node->import_from.names = names;
    node->import_from.level = level;
    return node;
}

const Stmt *stmt_global(Arena *arena, Span at, SymList names)
{
    Stmt *node = arena_alloc(arena, offsetof(Stmt, global) + sizeof ((Stmt *)0)->global);
    node->kind = STMT_GLOBAL;
    node->at = at;
    node->global.names = names;
    return node;
}

const Stmt *stmt_nonlocal(Arena *arena, Span at, SymList names)
{
    Stmt *node = arena_alloc(arena, offsetof(Stmt, nonlocal) + sizeof ((Stmt *)0)->nonlocal);
    node->kind = STMT_NONLOCAL;
    node->at = at;
    node->nonlocal.names = names;
    return node;
}

const Stmt *stmt_expr(Arena *arena, Span at, const Expr *value)
{
    Stmt *node = arena_alloc(arena, offsetof(Stmt, expr) + sizeof ((Stmt *)0)->expr);
    node->kind = STMT_EXPR;
    node->at = at;
    node->expr.value = value;
    return node;
}

const Stmt *stmt_pass(Arena *arena, Span at)
{
    Stmt *node = arena_alloc(arena, offsetof(Stmt, function_def));
    node->kind = STMT_PASS;
    node->at = at;
    return node;
}

const Stmt *stmt_break(Arena *arena, Span at)
{
    Stmt *node = arena_alloc(arena, offsetof(Stmt, function_def));
    node->kind = STMT_BREAK;
    node->at = at;
    return node;
}

const Stmt *stmt_continue(Arena *arena, Span at)
{
    Stmt *node = arena_alloc(arena, offsetof(Stmt, function_def));
    node->kind = STMT_CONTINUE;
    node->at = at;
    return node;
}

const Stmt *stmt_choreo(Arena *arena, Span at, SymList formals, SymList communicates, SymList acts, const Stmt *def)
{
    Stmt *node = arena_alloc(arena, offsetof(Stmt, choreo) + sizeof ((Stmt *)0)->choreo);
    node->kind = STMT_CHOREO;
    node->at = at;
    node->choreo.formals = formals;
    node->choreo.communicates = communicates;
    node->choreo.acts = acts;
    node->choreo.def = def;
    return node;
}

const Stmt *stmt_offer(Arena *arena, Span at, const Expr *channel, const Expr *enum_, OfferArmList arms)
{
    Stmt *node = arena_alloc(arena, offsetof(Stmt, offer) + sizeof ((Stmt *)0)->offer);
    node->kind = STMT_OFFER;
    node->at = at;
    node->offer.channel = channel;
    node->offer.enum_ = enum_;
    node->offer.arms = arms;
    return node;
}

const Stmt *stmt_stopped(Arena *arena, Span at, SymList peers)
{
    Stmt *node = arena_alloc(arena, offsetof(Stmt, stopped) + sizeof ((Stmt *)0)->stopped);
    node->kind = STMT_STOPPED;
    node->at = at;
    node->stopped.peers = peers;
    return node;
}

const Stmt *stmt_tape(Arena *arena, Span at)
{
    Stmt *node = arena_alloc(arena, offsetof(Stmt, function_def));
    node->kind = STMT_TAPE;
    node->at = at;
    return node;
}

const Stmt *stmt_keep(Arena *arena, Span at, const Expr *value)
{
    Stmt *node = arena_alloc(arena, offsetof(Stmt, keep) + sizeof ((Stmt *)0)->keep);
    node->kind = STMT_KEEP;
    node->at = at;
    node->keep.value = value;
    return node;
}

const Stmt *stmt_back(Arena *arena, Span at, const Expr *target)
{
    Stmt *node = arena_alloc(arena, offsetof(Stmt, back) + sizeof ((Stmt *)0)->back);
    node->kind = STMT_BACK;
    node->at = at;
    node->back.target = target;
    return node;
}

const Stmt *stmt_with_at(Arena *arena, const Stmt *node, Span at)
{
    Stmt *copy = ir_copy_node(arena, &ir_families[FAMILY_STMT], node);
    copy->at = at;
    return copy;
}

const Stmt *stmt_with_roles(Arena *arena, const Stmt *node, SymList roles)
{
    Stmt *copy = ir_copy_node(arena, &ir_families[FAMILY_STMT], node);
    copy->roles = roles;
    return copy;
}

const Stmt *stmt_spine_child(const Stmt *node)
{
    return ir_spine_child(&ir_families[FAMILY_STMT], node);
}

const Stmt *stmt_with_spine_child(Arena *arena, const Stmt *node, const Stmt *child)
{
    return ir_with_spine_child(&ir_families[FAMILY_STMT], arena, node, child);
}

const Stmt **stmt_spine(Arena *arena, const Stmt *node, size_t *n)
{
    const Stmt **spine;
    *n = 0;
    for (const Stmt *x = node; x != NULL; x = stmt_spine_child(x))
        ++*n;
    spine = ARENA_ARRAY(arena, const Stmt *, *n);
    for (size_t i = 0; i < *n; i++, node = stmt_spine_child(node))
        spine[i] = node;
    return spine;
}

#define F (&ir_families[FAMILY_STMT])
void ir_walk_stmt(const IrWalker *w, const Stmt *node) { ir_walk_node(w, F, node); }
void ir_walk_stmts(const IrWalker *w, StmtList list)
{
    for (size_t i = 0; i < list.len; i++)
        ir_walk_node(w, F, list.at[i]);
}
const Stmt *ir_map_stmt(IrMapper *m, const Stmt *node) { return ir_map_node(m, F, node); }
StmtList ir_map_stmts(IrMapper *m, StmtList list)
{
    IrList mapped = ir_map_list(m, F, (IrList){list.at, list.len});
    return (StmtList){mapped.at, mapped.len};
}
bool ir_equal_stmt(const Stmt *a, const Stmt *b) { return ir_equal_node(F, a, b); }
bool ir_equal_stmts(StmtList a, StmtList b)
{
    return ir_equal_list(F, (IrList){a.at, a.len}, (IrList){b.at, b.len});
}
uint64_t ir_hash_stmt(const Stmt *node) { return ir_hash_node(F, node); }
bool ir_same_stmt(const Stmt *a, const Stmt *b) { return ir_same_node(F, a, b); }
uint64_t ir_same_hash_stmt(const Stmt *node) { return ir_same_hash_node(F, node); }
void ir_print_stmt(Buf *b, const Stmt *node) { ir_print_node(b, F, node); }
const Stmt *ir_read_stmt(Arena *arena, Names *names, Text text, const char **error)
{
    return ir_read_node(arena, names, F, text, error);
}
bool ir_verify_stmt(const Stmt *node, IrTags allowed, const char **form, Span *at)
{
    return ir_verify_node(F, node, allowed, form, at);
}
IrTags ir_tags_of_stmt(const Stmt *node) { return ir_tags_of_node(F, node); }
#undef F

const char *expr_kind_name(ExprKind value)
{
    return forms_expr[value].name;
}

const Expr *expr_bool_op(Arena *arena, Span at, Boolop op, ExprList values)
{
    Expr *node = arena_alloc(arena, offsetof(Expr, bool_op) + sizeof ((Expr *)0)->bool_op);
    node->kind = EXPR_BOOL_OP;
    node->at = at;
    node->bool_op.op = op;
    node->bool_op.values = values;
    return node;
}

const Expr *expr_named_expr(Arena *arena, Span at, const Expr *target, const Expr *value)
{
    Expr *node = arena_alloc(arena, offsetof(Expr, named_expr) + sizeof ((Expr *)0)->named_expr);
    node->kind = EXPR_NAMED_EXPR;
    node->at = at;
    node->named_expr.target = target;
    node->named_expr.value = value;
    return node;
}

const Expr *expr_bin_op(Arena *arena, Span at, const Expr *left, Operator op, const Expr *right)
{
    Expr *node = arena_alloc(arena, offsetof(Expr, bin_op) + sizeof ((Expr *)0)->bin_op);
    node->kind = EXPR_BIN_OP;
    node->at = at;
    node->bin_op.left = left;
    node->bin_op.op = op;
    node->bin_op.right = right;
    return node;
}

const Expr *expr_unary_op(Arena *arena, Span at, Unaryop op, const Expr *operand)
{
    Expr *node = arena_alloc(arena, offsetof(Expr, unary_op) + sizeof ((Expr *)0)->unary_op);
    node->kind = EXPR_UNARY_OP;
    node->at = at;
    node->unary_op.op = op;
    node->unary_op.operand = operand;
    return node;
}

const Expr *expr_lambda(Arena *arena, Span at, const Arguments *args, const Expr *body)
{
    Expr *node = arena_alloc(arena, offsetof(Expr, lambda) + sizeof ((Expr *)0)->lambda);
    node->kind = EXPR_LAMBDA;
    node->at = at;
    node->lambda.args = args;
    node->lambda.body = body;
    return node;
}

const Expr *expr_if_exp(Arena *arena, Span at, const Expr *test, const Expr *body, const Expr *orelse)
{
    Expr *node = arena_alloc(arena, offsetof(Expr, if_exp) + sizeof ((Expr *)0)->if_exp);
    node->kind = EXPR_IF_EXP;
    node->at = at;
    node->if_exp.test = test;
    node->if_exp.body = body;
    node->if_exp.orelse = orelse;
    return node;
}

const Expr *expr_dict(Arena *arena, Span at, ExprList keys, ExprList values)
{
    Expr *node = arena_alloc(arena, offsetof(Expr, dict) + sizeof ((Expr *)0)->dict);
    node->kind = EXPR_DICT;
    node->at = at;
    node->dict.keys = keys;
    node->dict.values = values;
    return node;
}

const Expr *expr_set(Arena *arena, Span at, ExprList elts)
{
    Expr *node = arena_alloc(arena, offsetof(Expr, set) + sizeof ((Expr *)0)->set);
    node->kind = EXPR_SET;
    node->at = at;
    node->set.elts = elts;
    return node;
}

const Expr *expr_list_comp(Arena *arena, Span at, const Expr *elt, ComprehensionList generators)
{
    Expr *node = arena_alloc(arena, offsetof(Expr, list_comp) + sizeof ((Expr *)0)->list_comp);
    node->kind = EXPR_LIST_COMP;
    node->at = at;
    node->list_comp.elt = elt;
    node->list_comp.generators = generators;
    return node;
}

const Expr *expr_set_comp(Arena *arena, Span at, const Expr *elt, ComprehensionList generators)
{
    Expr *node = arena_alloc(arena, offsetof(Expr, set_comp) + sizeof ((Expr *)0)->set_comp);
    node->kind = EXPR_SET_COMP;
    node->at = at;
    node->set_comp.elt = elt;
    node->set_comp.generators = generators;
    return node;
}

const Expr *expr_dict_comp(Arena *arena, Span at, const Expr *key, const Expr *value, ComprehensionList generators)
{
    Expr *node = arena_alloc(arena, offsetof(Expr, dict_comp) + sizeof ((Expr *)0)->dict_comp);
    node->kind = EXPR_DICT_COMP;
    node->at = at;
    node->dict_comp.key = key;
    node->dict_comp.value = value;
    node->dict_comp.generators = generators;
    return node;
}

const Expr *expr_generator_exp(Arena *arena, Span at, const Expr *elt, ComprehensionList generators)
{
    Expr *node = arena_alloc(arena, offsetof(Expr, generator_exp) + sizeof ((Expr *)0)->generator_exp);
    node->kind = EXPR_GENERATOR_EXP;
    node->at = at;
    node->generator_exp.elt = elt;
    node->generator_exp.generators = generators;
    return node;
}

const Expr *expr_await(Arena *arena, Span at, const Expr *value)
{
    Expr *node = arena_alloc(arena, offsetof(Expr, await) + sizeof ((Expr *)0)->await);
    node->kind = EXPR_AWAIT;
    node->at = at;
    node->await.value = value;
    return node;
}

const Expr *expr_yield(Arena *arena, Span at, const Expr *value)
{
    Expr *node = arena_alloc(arena, offsetof(Expr, yield) + sizeof ((Expr *)0)->yield);
    node->kind = EXPR_YIELD;
    node->at = at;
    node->yield.value = value;
    return node;
}

const Expr *expr_yield_from(Arena *arena, Span at, const Expr *value)
{
    Expr *node = arena_alloc(arena, offsetof(Expr, yield_from) + sizeof ((Expr *)0)->yield_from);
    node->kind = EXPR_YIELD_FROM;
    node->at = at;
    node->yield_from.value = value;
    return node;
}

const Expr *expr_compare(Arena *arena, Span at, const Expr *left, CmpopList ops, ExprList comparators)
{
    Expr *node = arena_alloc(arena, offsetof(Expr, compare) + sizeof ((Expr *)0)->compare);
    node->kind = EXPR_COMPARE;
    node->at = at;
    node->compare.left = left;
    node->compare.ops = ops;
    node->compare.comparators = comparators;
    return node;
}

const Expr *expr_call(Arena *arena, Span at, const Expr *func, ExprList args, KeywordList keywords)
{
    Expr *node = arena_alloc(arena, offsetof(Expr, call) + sizeof ((Expr *)0)->call);
    node->kind = EXPR_CALL;
    node->at = at;
    node->call.func = func;
    node->call.args = args;
    node->call.keywords = keywords;
    return node;
}

const Expr *expr_formatted_value(Arena *arena, Span at, const Expr *value, int conversion, const Expr *format_spec)
{
    Expr *node = arena_alloc(arena, offsetof(Expr, formatted_value) + sizeof ((Expr *)0)->formatted_value);
    node->kind = EXPR_FORMATTED_VALUE;
    node->at = at;
    node->formatted_value.value = value;
    node->formatted_value.conversion = conversion;
    node->formatted_value.format_spec = format_spec;
    return node;
}

const Expr *expr_joined_str(Arena *arena, Span at, ExprList values)
{
    Expr *node = arena_alloc(arena, offsetof(Expr, joined_str) + sizeof ((Expr *)0)->joined_str);
    node->kind = EXPR_JOINED_STR;
    node->at = at;
    node->joined_str.values = values;
    return node;
}

const Expr *expr_constant(Arena *arena, Span at, const Const *value, Sym kind)
{
    Expr *node = arena_alloc(arena, offsetof(Expr, constant) + sizeof ((Expr *)0)->constant);
    node->kind = EXPR_CONSTANT;
    node->at = at;
    node->constant.value = value;
    node->constant.kind = kind;
    return node;
}

const Expr *expr_attribute(Arena *arena, Span at, const Expr *value, Sym attr, ExprContext ctx)
{
    Expr *node = arena_alloc(arena, offsetof(Expr, attribute) + sizeof ((Expr *)0)->attribute);
    node->kind = EXPR_ATTRIBUTE;
    node->at = at;
    node->attribute.value = value;
    node->attribute.attr = attr;
    node->attribute.ctx = ctx;
    return node;
}

const Expr *expr_subscript(Arena *arena, Span at, const Expr *value, const Expr *slice, ExprContext ctx)
{
    Expr *node = arena_alloc(arena, offsetof(Expr, subscript) + sizeof ((Expr *)0)->subscript);
    node->kind = EXPR_SUBSCRIPT;
    node->at = at;
    node->subscript.value = value;
    node->subscript.slice = slice;
    node->subscript.ctx = ctx;
    return node;
}

const Expr *expr_starred(Arena *arena, Span at, const Expr *value, ExprContext ctx)
{
    Expr *node = arena_alloc(arena, offsetof(Expr, starred) + sizeof ((Expr *)0)->starred);
    node->kind = EXPR_STARRED;
    node->at = at;
    node->starred.value = value;
    node->starred.ctx = ctx;
    return node;
}

const Expr *expr_name(Arena *arena, Span at, Sym id, ExprContext ctx)
{
    Expr *node = arena_alloc(arena, offsetof(Expr, name) + sizeof ((Expr *)0)->name);
    node->kind = EXPR_NAME;
    node->at = at;
    node->name.id = id;
    node->name.ctx = ctx;
    return node;
}

const Expr *expr_list(Arena *arena, Span at, ExprList elts, ExprContext ctx)
{
    Expr *node = arena_alloc(arena, offsetof(Expr, list) + sizeof ((Expr *)0)->list);
    node->kind = EXPR_LIST;
    node->at = at;
    node->list.elts = elts;
    node->list.ctx = ctx;
    return node;
}

const Expr *expr_tuple(Arena *arena, Span at, ExprList elts, ExprContext ctx)
{
    Expr *node = arena_alloc(arena, offsetof(Expr, tuple) + sizeof ((Expr *)0)->tuple);
    node->kind = EXPR_TUPLE;
    node->at = at;
    node->tuple.elts = elts;
    node->tuple.ctx = ctx;
    return node;
}

const Expr *expr_slice(Arena *arena, Span at, const Expr *lower, const Expr *upper, const Expr *step)
{
    Expr *node = arena_alloc(arena, offsetof(Expr, slice) + sizeof ((Expr *)0)->slice);
    node->kind = EXPR_SLICE;
    node->at = at;
    node->slice.lower = lower;
    node->slice.upper = upper;
    node->slice.step = step;
    return node;
}

const Expr *expr_located(Arena *arena, Span at, const Expr *type, SymList at_roles)
{
    Expr *node = arena_alloc(arena, offsetof(Expr, located) + sizeof ((Expr *)0)->located);
    node->kind = EXPR_LOCATED;
    node->at = at;
    node->located.type = type;
    node->located.at_roles = at_roles;
    return node;
}

const Expr *expr_inst(Arena *arena, Span at, const Expr *target, SymList formals, SymList actuals, SymList acts)
{
    Expr *node = arena_alloc(arena, offsetof(Expr, inst) + sizeof ((Expr *)0)->inst);
    node->kind = EXPR_INST;
    node->at = at;
    node->inst.target = target;
    node->inst.formals = formals;
    node->inst.actuals = actuals;
    node->inst.acts = acts;
    return node;
}

const Expr *expr_pin(Arena *arena, Span at, const Expr *value, SymList at_roles)
{
    Expr *node = arena_alloc(arena, offsetof(Expr, pin) + sizeof ((Expr *)0)->pin);
    node->kind = EXPR_PIN;
    node->at = at;
    node->pin.value = value;
    node->pin.at_roles = at_roles;
    return node;
}

const Expr *expr_com(Arena *arena, Span at, const Expr *channel, const Expr *value, Sym sender, Sym receiver, const Ty *payload, bool shared)
{
    Expr *node = arena_alloc(arena, offsetof(Expr, com) + sizeof ((Expr *)0)->com);
    node->kind = EXPR_COM;
    node->at = at;
    node->com.channel = channel;
    node->com.value = value;
    node->com.sender = sender;
    node->com.receiver = receiver;
    node->com.payload = payload;
    node->com.shared = shared;
    return node;
}

const Expr *expr_select(Arena *arena, Span at, const Expr *channel, const Expr *label, Sym sender, Sym receiver)
{
    Expr *node = arena_alloc(arena, offsetof(Expr, select) + sizeof ((Expr *)0)->select);
    node->kind = EXPR_SELECT;
    node->at = at;
    node->select.channel = channel;
    node->select.label = label;
    node->select.sender = sender;
    node->select.receiver = receiver;
    return node;
}

const Expr *expr_unit(Arena *arena, Span at, ExprList effects)
{
    Expr *node = arena_alloc(arena, offsetof(Expr, unit) + sizeof ((Expr *)0)->unit);
    node->kind = EXPR_UNIT;
    node->at = at;
    node->unit.effects = effects;
    return node;
}

const Expr *expr_send(Arena *arena, Span at, const Expr *channel, const Expr *value, const Ty *payload, bool shared)
{
    Expr *node = arena_alloc(arena, offsetof(Expr, send) + sizeof ((Expr *)0)->send);
    node->kind = EXPR_SEND;
    node->at = at;
    node->send.channel = channel;
    node->send.value = value;
    node->send.payload = payload;
    node->send.shared = shared;
    return node;
}

const Expr *expr_recv(Arena *arena, Span at, const Expr *channel, const Ty *payload)
{
    Expr *node = arena_alloc(arena, offsetof(Expr, recv) + sizeof ((Expr *)0)->recv);
    node->kind = EXPR_RECV;
    node->at = at;
    node->recv.channel = channel;
    node->recv.payload = payload;
    return node;
}

const Expr *expr_send_label(Arena *arena, Span at, const Expr *channel, const Expr *label)
{
    Expr *node = arena_alloc(arena, offsetof(Expr, send_label) + sizeof ((Expr *)0)->send_label);
    node->kind = EXPR_SEND_LABEL;
    node->at = at;
    node->send_label.channel = channel;
    node->send_label.label = label;
    return node;
}

const Expr *expr_build(Arena *arena, Span at, Sym index, const Expr *size, const Expr *body)
{
    Expr *node = arena_alloc(arena, offsetof(Expr, build) + sizeof ((Expr *)0)->build);
    node->kind = EXPR_BUILD;
    node->at = at;
    node->build.index = index;
    node->build.size = size;
    node->build.body = body;
    return node;
}

const Expr *expr_gather(Arena *arena, Span at, ExprList shape, const Expr *array, SymList indices, ExprList place)
{
    Expr *node = arena_alloc(arena, offsetof(Expr, gather) + sizeof ((Expr *)0)->gather);
    node->kind = EXPR_GATHER;
    node->at = at;
    node->gather.shape = shape;
    node->gather.array = array;
    node->gather.indices = indices;
    node->gather.place = place;
    return node;
}

const Expr *expr_scatter(Arena *arena, Span at, ExprList shape, const Expr *array, SymList indices, ExprList place)
{
    Expr *node = arena_alloc(arena, offsetof(Expr, scatter) + sizeof ((Expr *)0)->scatter);
    node->kind = EXPR_SCATTER;
    node->at = at;
    node->scatter.shape = shape;
    node->scatter.array = array;
    node->scatter.indices = indices;
    node->scatter.place = place;
    return node;
}

const Expr *expr_reduce(Arena *arena, Span at, Reduction op, const Expr *array)
{
    Expr *node = arena_alloc(arena, offsetof(Expr, reduce) + sizeof ((Expr *)0)->reduce);
    node->kind = EXPR_REDUCE;
    node->at = at;
    node->reduce.op = op;
    node->reduce.array = array;
    return node;
}

const Expr *expr_replicate(Arena *arena, Span at, const Expr *size, const Expr *array)
{
    Expr *node = arena_alloc(arena, offsetof(Expr, replicate) + sizeof ((Expr *)0)->replicate);
    node->kind = EXPR_REPLICATE;
    node->at = at;
    node->replicate.size = size;
    node->replicate.array = array;
    return node;
}

const Expr *expr_transpose(Arena *arena, Span at, ExprList axes, const Expr *array)
{
    Expr *node = arena_alloc(arena, offsetof(Expr, transpose) + sizeof ((Expr *)0)->transpose);
    node->kind = EXPR_TRANSPOSE;
    node->at = at;
    node->transpose.axes = axes;
    node->transpose.array = array;
    return node;
}

const Expr *expr_reshape(Arena *arena, Span at, ExprList shape, const Expr *array)
{
    Expr *node = arena_alloc(arena, offsetof(Expr, reshape) + sizeof ((Expr *)0)->reshape);
    node->kind = EXPR_RESHAPE;
    node->at = at;
    node->reshape.shape = shape;
    node->reshape.array = array;
    return node;
}

const Expr *expr_stack(Arena *arena, Span at, ExprList parts)
{
    Expr *node = arena_alloc(arena, offsetof(Expr, stack) + sizeof ((Expr *)0)->stack);
    node->kind = EXPR_STACK;
    node->at = at;
    node->stack.parts = parts;
    return node;
}

const Expr *expr_where(Arena *arena, Span at, const Expr *test, const Expr *on_true, const Expr *on_false)
{
    Expr *node = arena_alloc(arena, offsetof(Expr, where) + sizeof ((Expr *)0)->where);
    node->kind = EXPR_WHERE;
    node->at = at;
    node->where.test = test;
    node->where.on_true = on_true;
    node->where.on_false = on_false;
    return node;
}

const Expr *expr_one_hot(Arena *arena, Span at, ExprList shape, ExprList place, const Expr *value)
{
    Expr *node = arena_alloc(arena, offsetof(Expr, one_hot) + sizeof ((Expr *)0)->one_hot);
    node->kind = EXPR_ONE_HOT;
    node->at = at;
    node->one_hot.shape = shape;
    node->one_hot.place = place;
    node->one_hot.value = value;
    return node;
}

const Expr *expr_loop(Arena *arena, Span at, const Expr *size, int down, SymList indices, ExprList before, ExprList bodies, int which)
{
    Expr *node = arena_alloc(arena, offsetof(Expr, loop) + sizeof ((Expr *)0)->loop);
    node->kind = EXPR_LOOP;
    node->at = at;
    node->loop.size = size;
    node->loop.down = down;
    node->loop.indices = indices;
    node->loop.before = before;
    node->loop.bodies = bodies;
    node->loop.which = which;
    return node;
}

const Expr *expr_let(Arena *arena, Span at, Sym name, const Expr *value, const Expr *body)
{
    Expr *node = arena_alloc(arena, offsetof(Expr, let) + sizeof ((Expr *)0)->let);
    node->kind = EXPR_LET;
    node->at = at;
    node->let.name = name;
    node->let.value = value;
    node->let.body = body;
    return node;
}

const Expr *expr_let_rec(Arena *arena, Span at, Sym name, const Arguments *args, const Expr *value, const Expr *body)
{
    Expr *node = arena_alloc(arena, offsetof(Expr, let_rec) + sizeof ((Expr *)0)->let_rec);
    node->kind = EXPR_LET_REC;
    node->at = at;
    node->let_rec.name = name;
    node->let_rec.args = args;
    node->let_rec.value = value;
    node->let_rec.body = body;
    return node;
}

const Expr *expr_case(Arena *arena, Span at, const Expr *value, Sym left, const Expr *on_left, Sym right, const Expr *on_right)
{
    Expr *node = arena_alloc(arena, offsetof(Expr, case_) + sizeof ((Expr *)0)->case_);
    node->kind = EXPR_CASE;
    node->at = at;
    node->case_.value = value;
    node->case_.left = left;
    node->case_.on_left = on_left;
    node->case_.right = right;
    node->case_.on_right = on_right;
    return node;
}

const Expr *expr_inject(Arena *arena, Span at, bool right, const Expr *value)
{
    Expr *node = arena_alloc(arena, offsetof(Expr, inject) + sizeof ((Expr *)0)->inject);
    node->kind = EXPR_INJECT;
    node->at = at;
    node->inject.right = right;
    node->inject.value = value;
    return node;
}

const Expr *expr_ref(Arena *arena, Span at, const Expr *value)
{
    Expr *node = arena_alloc(arena, offsetof(Expr, ref) + sizeof ((Expr *)0)->ref);
    node->kind = EXPR_REF;
    node->at = at;
    node->ref.value = value;
    return node;
}

const Expr *expr_get(Arena *arena, Span at, const Expr *ref)
{
    Expr *node = arena_alloc(arena, offsetof(Expr, get) + sizeof ((Expr *)0)->get);
    node->kind = EXPR_GET;
    node->at = at;
    node->get.ref = ref;
    return node;
}

const Expr *expr_put(Arena *arena, Span at, const Expr *ref, const Expr *value)
{
    Expr *node = arena_alloc(arena, offsetof(Expr, put) + sizeof ((Expr *)0)->put);
    node->kind = EXPR_PUT;
    node->at = at;
    node->put.ref = ref;
    node->put.value = value;
    return node;
}

const Expr *expr_shift(Arena *arena, Span at, Sym k, const Expr *body)
{
    Expr *node = arena_alloc(arena, offsetof(Expr, shift) + sizeof ((Expr *)0)->shift);
    node->kind = EXPR_SHIFT;
    node->at = at;
    node->shift.k = k;
    node->shift.body = body;
    return node;
}

const Expr *expr_reset(Arena *arena, Span at, const Expr *body)
{
    Expr *node = arena_alloc(arena, offsetof(Expr, reset) + sizeof ((Expr *)0)->reset);
    node->kind = EXPR_RESET;
    node->at = at;
    node->reset.body = body;
    return node;
}

const Expr *expr_with_at(Arena *arena, const Expr *node, Span at)
{
    Expr *copy = ir_copy_node(arena, &ir_families[FAMILY_EXPR], node);
    copy->at = at;
    return copy;
}

const Expr *expr_with_ty(Arena *arena, const Expr *node, const Ty *ty, SymList roles)
{
    Expr *copy = ir_copy_node(arena, &ir_families[FAMILY_EXPR], node);
    copy->ty = ty;
    copy->roles = roles;
    return copy;
}

const Expr *expr_spine_child(const Expr *node)
{
    return ir_spine_child(&ir_families[FAMILY_EXPR], node);
}

const Expr *expr_with_spine_child(Arena *arena, const Expr *node, const Expr *child)
{
    return ir_with_spine_child(&ir_families[FAMILY_EXPR], arena, node, child);
}

const Expr **expr_spine(Arena *arena, const Expr *node, size_t *n)
{
    const Expr **spine;
    *n = 0;
    for (const Expr *x = node; x != NULL; x = expr_spine_child(x))
        ++*n;
    spine = ARENA_ARRAY(arena, const Expr *, *n);
    for (size_t i = 0; i < *n; i++, node = expr_spine_child(node))
        spine[i] = node;
    return spine;
}

#define F (&ir_families[FAMILY_EXPR])
void ir_walk_expr(const IrWalker *w, const Expr *node) { ir_walk_node(w, F, node); }
void ir_walk_exprs(const IrWalker *w, ExprList list)
{
    for (size_t i = 0; i < list.len; i++)
        ir_walk_node(w, F, list.at[i]);
}
const Expr *ir_map_expr(IrMapper *m, const Expr *node) { return ir_map_node(m, F, node); }
ExprList ir_map_exprs(IrMapper *m, ExprList list)
{
    IrList mapped = ir_map_list(m, F, (IrList){list.at, list.len});
    return (ExprList){mapped.at, mapped.len};
}
bool ir_equal_expr(const Expr *a, const Expr *b) { return ir_equal_node(F, a, b); }
bool ir_equal_exprs(ExprList a, ExprList b)
{
    return ir_equal_list(F, (IrList){a.at, a.len}, (IrList){b.at, b.len});
}
uint64_t ir_hash_expr(const Expr *node) { return ir_hash_node(F, node); }
bool ir_same_expr(const Expr *a, const Expr *b) { return ir_same_node(F, a, b); }
uint64_t ir_same_hash_expr(const Expr *node) { return ir_same_hash_node(F, node); }
void ir_print_expr(Buf *b, const Expr *node) { ir_print_node(b, F, node); }
const Expr *ir_read_expr(Arena *arena, Names *names, Text text, const char **error)
{
    return ir_read_node(arena, names, F, text, error);
}
bool ir_verify_expr(const Expr *node, IrTags allowed, const char **form, Span *at)
{
    return ir_verify_node(F, node, allowed, form, at);
}
IrTags ir_tags_of_expr(const Expr *node) { return ir_tags_of_node(F, node); }
#undef F

const OfferArm *offer_arm_new(Arena *arena, Span at, const Expr *label, StmtList body)
{
    OfferArm *node = arena_alloc(arena, sizeof(OfferArm));
    node->at = at;
    node->label = label;
    node->body = body;
    return node;
}

const OfferArm *offer_arm_with_at(Arena *arena, const OfferArm *node, Span at)
{
    OfferArm *copy = ir_copy_node(arena, &ir_families[FAMILY_OFFER_ARM], node);
    copy->at = at;
    return copy;
}

#define F (&ir_families[FAMILY_OFFER_ARM])
void ir_walk_offer_arm(const IrWalker *w, const OfferArm *node) { ir_walk_node(w, F, node); }
void ir_walk_offer_arms(const IrWalker *w, OfferArmList list)
{
    for (size_t i = 0; i < list.len; i++)
        ir_walk_node(w, F, list.at[i]);
}
const OfferArm *ir_map_offer_arm(IrMapper *m, const OfferArm *node) { return ir_map_node(m, F, node); }
OfferArmList ir_map_offer_arms(IrMapper *m, OfferArmList list)
{
    IrList mapped = ir_map_list(m, F, (IrList){list.at, list.len});
    return (OfferArmList){mapped.at, mapped.len};
}
bool ir_equal_offer_arm(const OfferArm *a, const OfferArm *b) { return ir_equal_node(F, a, b); }
bool ir_equal_offer_arms(OfferArmList a, OfferArmList b)
{
    return ir_equal_list(F, (IrList){a.at, a.len}, (IrList){b.at, b.len});
}
uint64_t ir_hash_offer_arm(const OfferArm *node) { return ir_hash_node(F, node); }
bool ir_same_offer_arm(const OfferArm *a, const OfferArm *b) { return ir_same_node(F, a, b); }
uint64_t ir_same_hash_offer_arm(const OfferArm *node) { return ir_same_hash_node(F, node); }
void ir_print_offer_arm(Buf *b, const OfferArm *node) { ir_print_node(b, F, node); }
const OfferArm *ir_read_offer_arm(Arena *arena, Names *names, Text text, const char **error)
{
    return ir_read_node(arena, names, F, text, error);
}
bool ir_verify_offer_arm(const OfferArm *node, IrTags allowed, const char **form, Span *at)
{
    return ir_verify_node(F, node, allowed, form, at);
}
IrTags ir_tags_of_offer_arm(const OfferArm *node) { return ir_tags_of_node(F, node); }
#undef F

const char *expr_context_name(ExprContext value)
{
    return forms_expr_context[value].name;
}

const char *boolop_name(Boolop value)
{
    return forms_boolop[value].name;
}

const char *operator_name(Operator value)
{
    return forms_operator[value].name;
}

const char *reduction_name(Reduction value)
{
    return forms_reduction[value].name;
}

const char *unaryop_name(Unaryop value)
{
    return forms_unaryop[value].name;
}

const char *cmpop_name(Cmpop value)
{
    return forms_cmpop[value].name;
}

const Comprehension *comprehension_new(Arena *arena, const Expr *target, const Expr *iter, ExprList ifs, int is_async)
{
    Comprehension *node = arena_alloc(arena, sizeof(Comprehension));
    node->target = target;
    node->iter = iter;
    node->ifs = ifs;
    node->is_async = is_async;
    return node;
}

#define F (&ir_families[FAMILY_COMPREHENSION])
void ir_walk_comprehension(const IrWalker *w, const Comprehension *node) { ir_walk_node(w, F, node); }
void ir_walk_comprehensions(const IrWalker *w, ComprehensionList list)
{
    for (size_t i = 0; i < list.len; i++)
        ir_walk_node(w, F, list.at[i]);
}
const Comprehension *ir_map_comprehension(IrMapper *m, const Comprehension *node) { return ir_map_node(m, F, node); }
ComprehensionList ir_map_comprehensions(IrMapper *m, ComprehensionList list)
{
    IrList mapped = ir_map_list(m, F, (IrList){list.at, list.len});
    return (ComprehensionList){mapped.at, mapped.len};
}
bool ir_equal_comprehension(const Comprehension *a, const Comprehension *b) { return ir_equal_node(F, a, b); }
bool ir_equal_comprehensions(ComprehensionList a, ComprehensionList b)
{
    return ir_equal_list(F, (IrList){a.at, a.len}, (IrList){b.at, b.len});
}
uint64_t ir_hash_comprehension(const Comprehension *node) { return ir_hash_node(F, node); }
bool ir_same_comprehension(const Comprehension *a, const Comprehension *b) { return ir_same_node(F, a, b); }
uint64_t ir_same_hash_comprehension(const Comprehension *node) { return ir_same_hash_node(F, node); }
void ir_print_comprehension(Buf *b, const Comprehension *node) { ir_print_node(b, F, node); }
const Comprehension *ir_read_comprehension(Arena *arena, Names *names, Text text, const char **error)
{
    return ir_read_node(arena, names, F, text, error);
}
bool ir_verify_comprehension(const Comprehension *node, IrTags allowed, const char **form, Span *at)
{
    return ir_verify_node(F, node, allowed, form, at);
}
IrTags ir_tags_of_comprehension(const Comprehension *node) { return ir_tags_of_node(F, node); }
#undef F

const char *excepthandler_kind_name(ExcepthandlerKind value)
{
    return forms_excepthandler[value].name;
}

const Excepthandler *excepthandler_except_handler(Arena *arena, Span at, const Expr *type, Sym name, StmtList body)
{
    Excepthandler *node = arena_alloc(arena, offsetof(Excepthandler, except_handler) + sizeof ((Excepthandler *)0)->except_handler);
    node->kind = EXCEPTHANDLER_EXCEPT_HANDLER;
    node->at = at;
    node->except_handler.type = type;
    node->except_handler.name = name;
    node->except_handler.body = body;
    return node;
}

const Excepthandler *excepthandler_with_at(Arena *arena, const Excepthandler *node, Span at)
{
    Excepthandler *copy = ir_copy_node(arena, &ir_families[FAMILY_EXCEPTHANDLER], node);
    copy->at = at;
    return copy;
}

const Excepthandler *excepthandler_with_ty(Arena *arena, const Excepthandler *node, const Ty *ty)
{
    Excepthandler *copy = ir_copy_node(arena, &ir_families[FAMILY_EXCEPTHANDLER], node);
    copy->ty = ty;
    return copy;
}

#define F (&ir_families[FAMILY_EXCEPTHANDLER])
void ir_walk_excepthandler(const IrWalker *w, const Excepthandler *node) { ir_walk_node(w, F, node); }
void ir_walk_excepthandlers(const IrWalker *w, ExcepthandlerList list)
{
    for (size_t i = 0; i < list.len; i++)
        ir_walk_node(w, F, list.at[i]);
}
const Excepthandler *ir_map_excepthandler(IrMapper *m, const Excepthandler *node) { return ir_map_node(m, F, node); }
ExcepthandlerList ir_map_excepthandlers(IrMapper *m, ExcepthandlerList list)
{
    IrList mapped = ir_map_list(m, F, (IrList){list.at, list.len});
    return (ExcepthandlerList){mapped.at, mapped.len};
}
bool ir_equal_excepthandler(const Excepthandler *a, const Excepthandler *b) { return ir_equal_node(F, a, b); }
bool ir_equal_excepthandlers(ExcepthandlerList a, ExcepthandlerList b)
{
    return ir_equal_list(F, (IrList){a.at, a.len}, (IrList){b.at, b.len});
}
uint64_t ir_hash_excepthandler(const Excepthandler *node) { return ir_hash_node(F, node); }
bool ir_same_excepthandler(const Excepthandler *a, const Excepthandler *b) { return ir_same_node(F, a, b); }
uint64_t ir_same_hash_excepthandler(const Excepthandler *node) { return ir_same_hash_node(F, node); }
void ir_print_excepthandler(Buf *b, const Excepthandler *node) { ir_print_node(b, F, node); }
const Excepthandler *ir_read_excepthandler(Arena *arena, Names *names, Text text, const char **error)
{
    return ir_read_node(arena, names, F, text, error);
}
bool ir_verify_excepthandler(const Excepthandler *node, IrTags allowed, const char **form, Span *at)
{
    return ir_verify_node(F, node, allowed, form, at);
}
IrTags ir_tags_of_excepthandler(const Excepthandler *node) { return ir_tags_of_node(F, node); }
#undef F

const Arguments *arguments_new(Arena *arena, ArgList posonlyargs, ArgList args, const Arg *vararg, ArgList kwonlyargs, ExprList kw_defaults, const Arg *kwarg, ExprList defaults)
{
    Arguments *node = arena_alloc(arena, sizeof(Arguments));
    node->posonlyargs = posonlyargs;
    node->args = args;
    node->vararg = vararg;
    node->kwonlyargs = kwonlyargs;
    node->kw_defaults = kw_defaults;
    node->kwarg = kwarg;
    node->defaults = defaults;
    return node;
}

#define F (&ir_families[FAMILY_ARGUMENTS])
void ir_walk_arguments(const IrWalker *w, const Arguments *node) { ir_walk_node(w, F, node); }
void ir_walk_argumentss(const IrWalker *w, ArgumentsList list)
{
    for (size_t i = 0; i < list.len; i++)
        ir_walk_node(w, F, list.at[i]);
}
const Arguments *ir_map_arguments(IrMapper *m, const Arguments *node) { return ir_map_node(m, F, node); }
ArgumentsList ir_map_argumentss(IrMapper *m, ArgumentsList list)
{
    IrList mapped = ir_map_list(m, F, (IrList){list.at, list.len});
    return (ArgumentsList){mapped.at, mapped.len};
}
bool ir_equal_arguments(const Arguments *a, const Arguments *b) { return ir_equal_node(F, a, b); }
bool ir_equal_argumentss(ArgumentsList a, ArgumentsList b)
{
    return ir_equal_list(F, (IrList){a.at, a.len}, (IrList){b.at, b.len});
}
uint64_t ir_hash_arguments(const Arguments *node) { return ir_hash_node(F, node); }
bool ir_same_arguments(const Arguments *a, const Arguments *b) { return ir_same_node(F, a, b); }
uint64_t ir_same_hash_arguments(const Arguments *node) { return ir_same_hash_node(F, node); }
void ir_print_arguments(Buf *b, const Arguments *node) { ir_print_node(b, F, node); }
const Arguments *ir_read_arguments(Arena *arena, Names *names, Text text, const char **error)
{
    return ir_read_node(arena, names, F, text, error);
}
bool ir_verify_arguments(const Arguments *node, IrTags allowed, const char **form, Span *at)
{
    return ir_verify_node(F, node, allowed, form, at);
}
IrTags ir_tags_of_arguments(const Arguments *node) { return ir_tags_of_node(F, node); }
#undef F

const Arg *arg_new(Arena *arena, Span at, Sym arg, const Expr *annotation)
{
    Arg *node = arena_alloc(arena, sizeof(Arg));
    node->at = at;
    node->arg = arg;
    node->annotation = annotation;
    return node;
}

const Arg *arg_with_at(Arena *arena, const Arg *node, Span at)
{
    Arg *copy = ir_copy_node(arena, &ir_families[FAMILY_ARG], node);
    copy->at = at;
    return copy;
}

const Arg *arg_with_ty(Arena *arena, const Arg *node, const Ty *ty)
{
    Arg *copy = ir_copy_node(arena, &ir_families[FAMILY_ARG], node);
    copy->ty = ty;
    return copy;
}

#define F (&ir_families[FAMILY_ARG])
void ir_walk_arg(const IrWalker *w, const Arg *node) { ir_walk_node(w, F, node); }
void ir_walk_args(const IrWalker *w, ArgList list)
{
    for (size_t i = 0; i < list.len; i++)
        ir_walk_node(w, F, list.at[i]);
}
const Arg *ir_map_arg(IrMapper *m, const Arg *node) { return ir_map_node(m, F, node); }
ArgList ir_map_args(IrMapper *m, ArgList list)
{
    IrList mapped = ir_map_list(m, F, (IrList){list.at, list.len});
    return (ArgList){mapped.at, mapped.len};
}
bool ir_equal_arg(const Arg *a, const Arg *b) { return ir_equal_node(F, a, b); }
bool ir_equal_args(ArgList a, ArgList b)
{
    return ir_equal_list(F, (IrList){a.at, a.len}, (IrList){b.at, b.len});
}
uint64_t ir_hash_arg(const Arg *node) { return ir_hash_node(F, node); }
bool ir_same_arg(const Arg *a, const Arg *b) { return ir_same_node(F, a, b); }
uint64_t ir_same_hash_arg(const Arg *node) { return ir_same_hash_node(F, node); }
void ir_print_arg(Buf *b, const Arg *node) { ir_print_node(b, F, node); }
const Arg *ir_read_arg(Arena *arena, Names *names, Text text, const char **error)
{
    return ir_read_node(arena, names, F, text, error);
}
bool ir_verify_arg(const Arg *node, IrTags allowed, const char **form, Span *at)
{
    return ir_verify_node(F, node, allowed, form, at);
}
IrTags ir_tags_of_arg(const Arg *node) { return ir_tags_of_node(F, node); }
#undef F

const Keyword *keyword_new(Arena *arena, Span at, Sym arg, const Expr *value)
{
    Keyword *node = arena_alloc(arena, sizeof(Keyword));
    node->at = at;
    node->arg = arg;
    node->value = value;
    return node;
}

const Keyword *keyword_with_at(Arena *arena, const Keyword *node, Span at)
{
    Keyword *copy = ir_copy_node(arena, &ir_families[FAMILY_KEYWORD], node);
    copy->at = at;
    return copy;
}

#define F (&ir_families[FAMILY_KEYWORD])
void ir_walk_keyword(const IrWalker *w, const Keyword *node) { ir_walk_node(w, F, node); }
void ir_walk_keywords(const IrWalker *w, KeywordList list)
{
    for (size_t i = 0; i < list.len; i++)
        ir_walk_node(w, F, list.at[i]);
}
const Keyword *ir_map_keyword(IrMapper *m, const Keyword *node) { return ir_map_node(m, F, node); }
KeywordList ir_map_keywords(IrMapper *m, KeywordList list)
{
    IrList mapped = ir_map_list(m, F, (IrList){list.at, list.len});
    return (KeywordList){mapped.at, mapped.len};
}
bool ir_equal_keyword(const Keyword *a, const Keyword *b) { return ir_equal_node(F, a, b); }
bool ir_equal_keywords(KeywordList a, KeywordList b)
{
    return ir_equal_list(F, (IrList){a.at, a.len}, (IrList){b.at, b.len});
}
uint64_t ir_hash_keyword(const Keyword *node) { return ir_hash_node(F, node); }
bool ir_same_keyword(const Keyword *a, const Keyword *b) { return ir_same_node(F, a, b); }
uint64_t ir_same_hash_keyword(const Keyword *node) { return ir_same_hash_node(F, node); }
void ir_print_keyword(Buf *b, const Keyword *node) { ir_print_node(b, F, node); }
const Keyword *ir_read_keyword(Arena *arena, Names *names, Text text, const char **error)
{
    return ir_read_node(arena, names, F, text, error);
}
bool ir_verify_keyword(const Keyword *node, IrTags allowed, const char **form, Span *at)
{
    return ir_verify_node(F, node, allowed, form, at);
}
IrTags ir_tags_of_keyword(const Keyword *node) { return ir_tags_of_node(F, node); }
#undef F

const Alias *alias_new(Arena *arena, Span at, Sym name, Sym asname)
{
    Alias *node = arena_alloc(arena, sizeof(Alias));
    node->at = at;
    node->name = name;
    node->asname = asname;
    return node;
}

const Alias *alias_with_at(Arena *arena, const Alias *node, Span at)
{
    Alias *copy = ir_copy_node(arena, &ir_families[FAMILY_ALIAS], node);
    copy->at = at;
    return copy;
}

#define F (&ir_families[FAMILY_ALIAS])
void ir_walk_alias(const IrWalker *w, const Alias *node) { ir_walk_node(w, F, node); }
void ir_walk_aliass(const IrWalker *w, AliasList list)
{
    for (size_t i = 0; i < list.len; i++)
        ir_walk_node(w, F, list.at[i]);
}
const Alias *ir_map_alias(IrMapper *m, const Alias *node) { return ir_map_node(m, F, node); }
AliasList ir_map_aliass(IrMapper *m, AliasList list)
{
    IrList mapped = ir_map_list(m, F, (IrList){list.at, list.len});
    return (AliasList){mapped.at, mapped.len};
}
bool ir_equal_alias(const Alias *a, const Alias *b) { return ir_equal_node(F, a, b); }
bool ir_equal_aliass(AliasList a, AliasList b)
{
    return ir_equal_list(F, (IrList){a.at, a.len}, (IrList){b.at, b.len});
}
uint64_t ir_hash_alias(const Alias *node) { return ir_hash_node(F, node); }
bool ir_same_alias(const Alias *a, const Alias *b) { return ir_same_node(F, a, b); }
uint64_t ir_same_hash_alias(const Alias *node) { return ir_same_hash_node(F, node); }
void ir_print_alias(Buf *b, const Alias *node) { ir_print_node(b, F, node); }
const Alias *ir_read_alias(Arena *arena, Names *names, Text text, const char **error)
{
    return ir_read_node(arena, names, F, text, error);
}
bool ir_verify_alias(const Alias *node, IrTags allowed, const char **form, Span *at)
{
    return ir_verify_node(F, node, allowed, form, at);
}
IrTags ir_tags_of_alias(const Alias *node) { return ir_tags_of_node(F, node); }
#undef F

const Withitem *withitem_new(Arena *arena, const Expr *context_expr, const Expr *optional_vars)
{
    Withitem *node = arena_alloc(arena, sizeof(Withitem));
    node->context_expr = context_expr;
    node->optional_vars = optional_vars;
    return node;
}

#define F (&ir_families[FAMILY_WITHITEM])
void ir_walk_withitem(const IrWalker *w, const Withitem *node) { ir_walk_node(w, F, node); }
void ir_walk_withitems(const IrWalker *w, WithitemList list)
{
    for (size_t i = 0; i < list.len; i++)
        ir_walk_node(w, F, list.at[i]);
}
const Withitem *ir_map_withitem(IrMapper *m, const Withitem *node) { return ir_map_node(m, F, node); }
WithitemList ir_map_withitems(IrMapper *m, WithitemList list)
{
    IrList mapped = ir_map_list(m, F, (IrList){list.at, list.len});
    return (WithitemList){mapped.at, mapped.len};
}
bool ir_equal_withitem(const Withitem *a, const Withitem *b) { return ir_equal_node(F, a, b); }
bool ir_equal_withitems(WithitemList a, WithitemList b)
{
    return ir_equal_list(F, (IrList){a.at, a.len}, (IrList){b.at, b.len});
}
uint64_t ir_hash_withitem(const Withitem *node) { return ir_hash_node(F, node); }
bool ir_same_withitem(const Withitem *a, const Withitem *b) { return ir_same_node(F, a, b); }
uint64_t ir_same_hash_withitem(const Withitem *node) { return ir_same_hash_node(F, node); }
void ir_print_withitem(Buf *b, const Withitem *node) { ir_print_node(b, F, node); }
const Withitem *ir_read_withitem(Arena *arena, Names *names, Text text, const char **error)
{
    return ir_read_node(arena, names, F, text, error);
}
bool ir_verify_withitem(const Withitem *node, IrTags allowed, const char **form, Span *at)
{
    return ir_verify_node(F, node, allowed, form, at);
}
IrTags ir_tags_of_withitem(const Withitem *node) { return ir_tags_of_node(F, node); }
#undef F

const MatchCase *match_case_new(Arena *arena, const Pattern *pattern, const Expr *guard, StmtList body)
{
    MatchCase *node = arena_alloc(arena, sizeof(MatchCase));
    node->pattern = pattern;
    node->guard = guard;
    node->body = body;
    return node;
}

#define F (&ir_families[FAMILY_MATCH_CASE])
void ir_walk_match_case(const IrWalker *w, const MatchCase *node) { ir_walk_node(w, F, node); }
void ir_walk_match_cases(const IrWalker *w, MatchCaseList list)
{
    for (size_t i = 0; i < list.len; i++)
        ir_walk_node(w, F, list.at[i]);
}
const MatchCase *ir_map_match_case(IrMapper *m, const MatchCase *node) { return ir_map_node(m, F, node); }
MatchCaseList ir_map_match_cases(IrMapper *m, MatchCaseList list)
{
    IrList mapped = ir_map_list(m, F, (IrList){list.at, list.len});
    return (MatchCaseList){mapped.at, mapped.len};
}
bool ir_equal_match_case(const MatchCase *a, const MatchCase *b) { return ir_equal_node(F, a, b); }
bool ir_equal_match_cases(MatchCaseList a, MatchCaseList b)
{
    return ir_equal_list(F, (IrList){a.at, a.len}, (IrList){b.at, b.len});
}
uint64_t ir_hash_match_case(const MatchCase *node) { return ir_hash_node(F, node); }
bool ir_same_match_case(const MatchCase *a, const MatchCase *b) { return ir_same_node(F, a, b); }
uint64_t ir_same_hash_match_case(const MatchCase *node) { return ir_same_hash_node(F, node); }
void ir_print_match_case(Buf *b, const MatchCase *node) { ir_print_node(b, F, node); }
const MatchCase *ir_read_match_case(Arena *arena, Names *names, Text text, const char **error)
{
    return ir_read_node(arena, names, F, text, error);
}
bool ir_verify_match_case(const MatchCase *node, IrTags allowed, const char **form, Span *at)
{
    return ir_verify_node(F, node, allowed, form, at);
}
IrTags ir_tags_of_match_case(const MatchCase *node) { return ir_tags_of_node(F, node); }
#undef F

const char *pattern_kind_name(PatternKind value)
{
    return forms_pattern[value].name;
}

const Pattern *pattern_match_value(Arena *arena, Span at, const Expr *value)
{
    Pattern *node = arena_alloc(arena, offsetof(Pattern, match_value) + sizeof ((Pattern *)0)->match_value);
    node->kind = PATTERN_MATCH_VALUE;
    node->at = at;
    node->match_value.value = value;
    return node;
}

const Pattern *pattern_match_singleton(Arena *arena, Span at, const Const *value)
{
    Pattern *node = arena_alloc(arena, offsetof(Pattern, match_singleton) + sizeof ((Pattern *)0)->match_singleton);
    node->kind = PATTERN_MATCH_SINGLETON;
    node->at = at;
    node->match_singleton.value = value;
    return node;
}

const Pattern *pattern_match_sequence(Arena *arena, Span at, PatternList patterns)
{
    Pattern *node = arena_alloc(arena, offsetof(Pattern, match_sequence) + sizeof ((Pattern *)0)->match_sequence);
    node->kind = PATTERN_MATCH_SEQUENCE;
    node->at = at;
    node->match_sequence.patterns = patterns;
    return node;
}

const Pattern *pattern_match_mapping(Arena *arena, Span at, ExprList keys, PatternList patterns, Sym rest)
{
    Pattern *node = arena_alloc(arena, offsetof(Pattern, match_mapping) + sizeof ((Pattern *)0)->match_mapping);
    node->kind = PATTERN_MATCH_MAPPING;
    node->at = at;
    node->match_mapping.keys = keys;
    node->match_mapping.patterns = patterns;
    node->match_mapping.rest = rest;
    return node;
}

const Pattern *pattern_match_class(Arena *arena, Span at, const Expr *cls, PatternList patterns, SymList kwd_attrs, PatternList kwd_patterns)
{
    Pattern *node = arena_alloc(arena, offsetof(Pattern, match_class) + sizeof ((Pattern *)0)->match_class);
    node->kind = PATTERN_MATCH_CLASS;
    node->at = at;
    node->match_class.cls = cls;
    node->match_class.patterns = patterns;
    node->match_class.kwd_attrs = kwd_attrs;
    node->match_class.kwd_patterns = kwd_patterns;
    return node;
}

const Pattern *pattern_match_star(Arena *arena, Span at, Sym name)
{
    Pattern *node = arena_alloc(arena, offsetof(Pattern, match_star) + sizeof ((Pattern *)0)->match_star);
    node->kind = PATTERN_MATCH_STAR;
    node->at = at;
    node->match_star.name = name;
    return node;
}

const Pattern *pattern_match_as(Arena *arena, Span at, const Pattern *pattern, Sym name)
{
    Pattern *node = arena_alloc(arena, offsetof(Pattern, match_as) + sizeof ((Pattern *)0)->match_as);
    node->kind = PATTERN_MATCH_AS;
    node->at = at;
    node->match_as.pattern = pattern;
    node->match_as.name = name;
    return node;
}

const Pattern *pattern_match_or(Arena *arena, Span at, PatternList patterns)
{
    Pattern *node = arena_alloc(arena, offsetof(Pattern, match_or) + sizeof ((Pattern *)0)->match_or);
    node->kind = PATTERN_MATCH_OR;
    node->at = at;
    node->match_or.patterns = patterns;
    return node;
}

const Pattern *pattern_with_at(Arena *arena, const Pattern *node, Span at)
{
    Pattern *copy = ir_copy_node(arena, &ir_families[FAMILY_PATTERN], node);
    copy->at = at;
    return copy;
}

const Pattern *pattern_with_ty(Arena *arena, const Pattern *node, const Ty *ty, const Ty *bound)
{
    Pattern *copy = ir_copy_node(arena, &ir_families[FAMILY_PATTERN], node);
    copy->ty = ty;
    copy->bound = bound;
    return copy;
}

#define F (&ir_families[FAMILY_PATTERN])
void ir_walk_pattern(const IrWalker *w, const Pattern *node) { ir_walk_node(w, F, node); }
void ir_walk_patterns(const IrWalker *w, PatternList list)
{
    for (size_t i = 0; i < list.len; i++)
        ir_walk_node(w, F, list.at[i]);
}
const Pattern *ir_map_pattern(IrMapper *m, const Pattern *node) { return ir_map_node(m, F, node); }
PatternList ir_map_patterns(IrMapper *m, PatternList list)
{
    IrList mapped = ir_map_list(m, F, (IrList){list.at, list.len});
    return (PatternList){mapped.at, mapped.len};
}
bool ir_equal_pattern(const Pattern *a, const Pattern *b) { return ir_equal_node(F, a, b); }
bool ir_equal_patterns(PatternList a, PatternList b)
{
    return ir_equal_list(F, (IrList){a.at, a.len}, (IrList){b.at, b.len});
}
uint64_t ir_hash_pattern(const Pattern *node) { return ir_hash_node(F, node); }
bool ir_same_pattern(const Pattern *a, const Pattern *b) { return ir_same_node(F, a, b); }
uint64_t ir_same_hash_pattern(const Pattern *node) { return ir_same_hash_node(F, node); }
void ir_print_pattern(Buf *b, const Pattern *node) { ir_print_node(b, F, node); }
const Pattern *ir_read_pattern(Arena *arena, Names *names, Text text, const char **error)
{
    return ir_read_node(arena, names, F, text, error);
}
bool ir_verify_pattern(const Pattern *node, IrTags allowed, const char **form, Span *at)
{
    return ir_verify_node(F, node, allowed, form, at);
}
IrTags ir_tags_of_pattern(const Pattern *node) { return ir_tags_of_node(F, node); }
#undef F

const char *type_param_kind_name(TypeParamKind value)
{
    return forms_type_param[value].name;
}

const TypeParam *type_param_type_var(Arena *arena, Span at, Sym name, const Expr *bound, const Expr *default_value)
{
    TypeParam *node = arena_alloc(arena, offsetof(TypeParam, type_var) + sizeof ((TypeParam *)0)->type_var);
    node->kind = TYPE_PARAM_TYPE_VAR;
    node->at = at;
    node->type_var.name = name;
    node->type_var.bound = bound;
    node->type_var.default_value = default_value;
    return node;
}

const TypeParam *type_param_param_spec(Arena *arena, Span at, Sym name, const Expr *default_value)
{
    TypeParam *node = arena_alloc(arena, offsetof(TypeParam, param_spec) + sizeof ((TypeParam *)0)->param_spec);
    node->kind = TYPE_PARAM_PARAM_SPEC;
    node->at = at;
    node->param_spec.name = name;
    node->param_spec.default_value = default_value;
    return node;
}

const TypeParam *type_param_type_var_tuple(Arena *arena, Span at, Sym name, const Expr *default_value)
{
    TypeParam *node = arena_alloc(arena, offsetof(TypeParam, type_var_tuple) + sizeof ((TypeParam *)0)->type_var_tuple);
    node->kind = TYPE_PARAM_TYPE_VAR_TUPLE;
    node->at = at;
    node->type_var_tuple.name = name;
    node->type_var_tuple.default_value = default_value;
    return node;
}

const TypeParam *type_param_with_at(Arena *arena, const TypeParam *node, Span at)
{
    TypeParam *copy = ir_copy_node(arena, &ir_families[FAMILY_TYPE_PARAM], node);
    copy->at = at;
    return copy;
}

#define F (&ir_families[FAMILY_TYPE_PARAM])
void ir_walk_type_param(const IrWalker *w, const TypeParam *node) { ir_walk_node(w, F, node); }
void ir_walk_type_params(const IrWalker *w, TypeParamList list)
{
    for (size_t i = 0; i < list.len; i++)
        ir_walk_node(w, F, list.at[i]);
}
const TypeParam *ir_map_type_param(IrMapper *m, const TypeParam *node) { return ir_map_node(m, F, node); }
TypeParamList ir_map_type_params(IrMapper *m, TypeParamList list)
{
    IrList mapped = ir_map_list(m, F, (IrList){list.at, list.len});
    return (TypeParamList){mapped.at, mapped.len};
}
bool ir_equal_type_param(const TypeParam *a, const TypeParam *b) { return ir_equal_node(F, a, b); }
bool ir_equal_type_params(TypeParamList a, TypeParamList b)
{
    return ir_equal_list(F, (IrList){a.at, a.len}, (IrList){b.at, b.len});
}
uint64_t ir_hash_type_param(const TypeParam *node) { return ir_hash_node(F, node); }
bool ir_same_type_param(const TypeParam *a, const TypeParam *b) { return ir_same_node(F, a, b); }
uint64_t ir_same_hash_type_param(const TypeParam *node) { return ir_same_hash_node(F, node); }
void ir_print_type_param(Buf *b, const TypeParam *node) { ir_print_node(b, F, node); }
const TypeParam *ir_read_type_param(Arena *arena, Names *names, Text text, const char **error)
{
    return ir_read_node(arena, names, F, text, error);
}
bool ir_verify_type_param(const TypeParam *node, IrTags allowed, const char **form, Span *at)
{
    return ir_verify_node(F, node, allowed, form, at);
}
IrTags ir_tags_of_type_param(const TypeParam *node) { return ir_tags_of_node(F, node); }
#undef F

const char *ty_kind_name(TyKind value)
{
    return forms_ty[value].name;
}

const Ty *ty_poison(Arena *arena)
{
    Ty *node = arena_alloc(arena, offsetof(Ty, named));
    node->kind = TY_POISON;
    return node;
}

const Ty *ty_any(Arena *arena)
{
    Ty *node = arena_alloc(arena, offsetof(Ty, named));
    node->kind = TY_ANY;
    return node;
}

const Ty *ty_none_type(Arena *arena)
{
    Ty *node = arena_alloc(arena, offsetof(Ty, named));
    node->kind = TY_NONE_TYPE;
    return node;
}

const Ty *ty_named(Arena *arena, Sym name, TyList args)
{
    Ty *node = arena_alloc(arena, offsetof(Ty, named) + sizeof ((Ty *)0)->named);
    node->kind = TY_NAMED;
    node->named.name = name;
    node->named.args = args;
    return node;
}

const Ty *ty_inst(Arena *arena, Sym name, TyList args, SymList actuals)
{
    Ty *node = arena_alloc(arena, offsetof(Ty, inst) + sizeof ((Ty *)0)->inst);
    node->kind = TY_INST;
    node->inst.name = name;
    node->inst.args = args;
    node->inst.actuals = actuals;
    return node;
}

const Ty *ty_tuple(Arena *arena, TyList items)
{
    Ty *node = arena_alloc(arena, offsetof(Ty, tuple) + sizeof ((Ty *)0)->tuple);
    node->kind = TY_TUPLE;
    node->tuple.items = items;
    return node;
}

const Ty *ty_union(Arena *arena, TyList items)
{
    Ty *node = arena_alloc(arena, offsetof(Ty, union_) + sizeof ((Ty *)0)->union_);
    node->kind = TY_UNION;
    node->union_.items = items;
    return node;
}

const Ty *ty_callable(Arena *arena, TyList params, const Ty *result)
{
    Ty *node = arena_alloc(arena, offsetof(Ty, callable) + sizeof ((Ty *)0)->callable);
    node->kind = TY_CALLABLE;
    node->callable.params = params;
    node->callable.result = result;
    return node;
}

const Ty *ty_literal(Arena *arena, const Const *value)
{
    Ty *node = arena_alloc(arena, offsetof(Ty, literal) + sizeof ((Ty *)0)->literal);
    node->kind = TY_LITERAL;
    node->literal.value = value;
    return node;
}

const Ty *ty_type_var(Arena *arena, Sym name)
{
    Ty *node = arena_alloc(arena, offsetof(Ty, type_var) + sizeof ((Ty *)0)->type_var);
    node->kind = TY_TYPE_VAR;
    node->type_var.name = name;
    return node;
}

const Ty *ty_placed(Arena *arena, const Ty *of, SymList at_roles)
{
    Ty *node = arena_alloc(arena, offsetof(Ty, placed) + sizeof ((Ty *)0)->placed);
    node->kind = TY_PLACED;
    node->placed.of = of;
    node->placed.at_roles = at_roles;
    return node;
}

#define F (&ir_families[FAMILY_TY])
void ir_walk_ty(const IrWalker *w, const Ty *node) { ir_walk_node(w, F, node); }
void ir_walk_tys(const IrWalker *w, TyList list)
{
    for (size_t i = 0; i < list.len; i++)
        ir_walk_node(w, F, list.at[i]);
}
const Ty *ir_map_ty(IrMapper *m, const Ty *node) { return ir_map_node(m, F, node); }
TyList ir_map_tys(IrMapper *m, TyList list)
{
    IrList mapped = ir_map_list(m, F, (IrList){list.at, list.len});
    return (TyList){mapped.at, mapped.len};
}
bool ir_equal_ty(const Ty *a, const Ty *b) { return ir_equal_node(F, a, b); }
bool ir_equal_tys(TyList a, TyList b)
{
    return ir_equal_list(F, (IrList){a.at, a.len}, (IrList){b.at, b.len});
}
uint64_t ir_hash_ty(const Ty *node) { return ir_hash_node(F, node); }
bool ir_same_ty(const Ty *a, const Ty *b) { return ir_same_node(F, a, b); }
uint64_t ir_same_hash_ty(const Ty *node) { return ir_same_hash_node(F, node); }
void ir_print_ty(Buf *b, const Ty *node) { ir_print_node(b, F, node); }
const Ty *ir_read_ty(Arena *arena, Names *names, Text text, const char **error)
{
    return ir_read_node(arena, names, F, text, error);
}
bool ir_verify_ty(const Ty *node, IrTags allowed, const char **form, Span *at)
{
    return ir_verify_node(F, node, allowed, form, at);
}
IrTags ir_tags_of_ty(const Ty *node) { return ir_tags_of_node(F, node); }
#undef F

bool ir_walker_enter(const IrWalker *w, const IrFamily *family, const void *node)
{
    switch (family->id) {
    case FAMILY_UNIT:
        return w->unit == NULL || w->unit(w->cx, node);
    case FAMILY_ENDPOINT:
        return w->endpoint == NULL || w->endpoint(w->cx, node);
    case FAMILY_FRAGMENT:
        return w->fragment == NULL || w->fragment(w->cx, node);
    case FAMILY_SITE:
        return w->site == NULL || w->site(w->cx, node);
    case FAMILY_STMT:
        return w->stmt == NULL || w->stmt(w->cx, node);
    case FAMILY_EXPR:
        return w->expr == NULL || w->expr(w->cx, node);
    case FAMILY_OFFER_ARM:
        return w->offer_arm == NULL || w->offer_arm(w->cx, node);
    case FAMILY_COMPREHENSION:
        return w->comprehension == NULL || w->comprehension(w->cx, node);
    case FAMILY_EXCEPTHANDLER:
        return w->excepthandler == NULL || w->excepthandler(w->cx, node);
    case FAMILY_ARGUMENTS:
        return w->arguments == NULL || w->arguments(w->cx, node);
    case FAMILY_ARG:
        return w->arg == NULL || w->arg(w->cx, node);
    case FAMILY_KEYWORD:
        return w->keyword == NULL || w->keyword(w->cx, node);
    case FAMILY_ALIAS:
        return w->alias == NULL || w->alias(w->cx, node);
    case FAMILY_WITHITEM:
        return w->withitem == NULL || w->withitem(w->cx, node);
    case FAMILY_MATCH_CASE:
        return w->match_case == NULL || w->match_case(w->cx, node);
    case FAMILY_PATTERN:
        return w->pattern == NULL || w->pattern(w->cx, node);
    case FAMILY_TYPE_PARAM:
        return w->type_param == NULL || w->type_param(w->cx, node);
    case FAMILY_TY:
        return w->ty == NULL || w->ty(w->cx, node);
    }
    return true;
}

const void *ir_mapper_leave(IrMapper *m, const IrFamily *family, const void *node)
{
    switch (family->id) {
    case FAMILY_UNIT:
        return m->unit == NULL ? node : m->unit(m, node);
    case FAMILY_ENDPOINT:
        return m->endpoint == NULL ? node : m->endpoint(m, node);
    case FAMILY_FRAGMENT:
        return m->fragment == NULL ? node : m->fragment(m, node);
    case FAMILY_SITE:
        return m->site == NULL ? node : m->site(m, node);
    case FAMILY_STMT:
        return m->stmt == NULL ? node : m->stmt(m, node);
    case FAMILY_EXPR:
        return m->expr == NULL ? node : m->expr(m, node);
    case FAMILY_OFFER_ARM:
        return m->offer_arm == NULL ? node : m->offer_arm(m, node);
    case FAMILY_COMPREHENSION:
        return m->comprehension == NULL ? node : m->comprehension(m, node);
    case FAMILY_EXCEPTHANDLER:
        return m->excepthandler == NULL ? node : m->excepthandler(m, node);
    case FAMILY_ARGUMENTS:
        return m->arguments == NULL ? node : m->arguments(m, node);
    case FAMILY_ARG:
        return m->arg == NULL ? node : m->arg(m, node);
    case FAMILY_KEYWORD:
        return m->keyword == NULL ? node : m->keyword(m, node);
    case FAMILY_ALIAS:
        return m->alias == NULL ? node : m->alias(m, node);
    case FAMILY_WITHITEM:
        return m->withitem == NULL ? node : m->withitem(m, node);
    case FAMILY_MATCH_CASE:
        return m->match_case == NULL ? node : m->match_case(m, node);
    case FAMILY_PATTERN:
        return m->pattern == NULL ? node : m->pattern(m, node);
    case FAMILY_TYPE_PARAM:
        return m->type_param == NULL ? node : m->type_param(m, node);
    case FAMILY_TY:
        return m->ty == NULL ? node : m->ty(m, node);
    }
    return node;
}

uint64_t ir_walker_families(const IrWalker *w)
{
    uint64_t all = 0;
    all |= (uint64_t)(w->unit != NULL) << FAMILY_UNIT;
    all |= (uint64_t)(w->endpoint != NULL) << FAMILY_ENDPOINT;
    all |= (uint64_t)(w->fragment != NULL) << FAMILY_FRAGMENT;
    all |= (uint64_t)(w->site != NULL) << FAMILY_SITE;
    all |= (uint64_t)(w->stmt != NULL) << FAMILY_STMT;
    all |= (uint64_t)(w->expr != NULL) << FAMILY_EXPR;
    all |= (uint64_t)(w->offer_arm != NULL) << FAMILY_OFFER_ARM;
    all |= (uint64_t)(w->comprehension != NULL) << FAMILY_COMPREHENSION;
    all |= (uint64_t)(w->excepthandler != NULL) << FAMILY_EXCEPTHANDLER;
    all |= (uint64_t)(w->arguments != NULL) << FAMILY_ARGUMENTS;
    all |= (uint64_t)(w->arg != NULL) << FAMILY_ARG;
    all |= (uint64_t)(w->keyword != NULL) << FAMILY_KEYWORD;
    all |= (uint64_t)(w->alias != NULL) << FAMILY_ALIAS;
    all |= (uint64_t)(w->withitem != NULL) << FAMILY_WITHITEM;
    all |= (uint64_t)(w->match_case != NULL) << FAMILY_MATCH_CASE;
    all |= (uint64_t)(w->pattern != NULL) << FAMILY_PATTERN;
    all |= (uint64_t)(w->type_param != NULL) << FAMILY_TYPE_PARAM;
    all |= (uint64_t)(w->ty != NULL) << FAMILY_TY;
    return all;
}

uint64_t ir_mapper_families(const IrMapper *w)
{
    uint64_t all = 0;
    all |= (uint64_t)(w->unit != NULL) << FAMILY_UNIT;
    all |= (uint64_t)(w->endpoint != NULL) << FAMILY_ENDPOINT;
    all |= (uint64_t)(w->fragment != NULL) << FAMILY_FRAGMENT;
    all |= (uint64_t)(w->site != NULL) << FAMILY_SITE;
    all |= (uint64_t)(w->stmt != NULL) << FAMILY_STMT;
    all |= (uint64_t)(w->expr != NULL) << FAMILY_EXPR;
    all |= (uint64_t)(w->offer_arm != NULL) << FAMILY_OFFER_ARM;
    all |= (uint64_t)(w->comprehension != NULL) << FAMILY_COMPREHENSION;
    all |= (uint64_t)(w->excepthandler != NULL) << FAMILY_EXCEPTHANDLER;
    all |= (uint64_t)(w->arguments != NULL) << FAMILY_ARGUMENTS;
    all |= (uint64_t)(w->arg != NULL) << FAMILY_ARG;
    all |= (uint64_t)(w->keyword != NULL) << FAMILY_KEYWORD;
    all |= (uint64_t)(w->alias != NULL) << FAMILY_ALIAS;
    all |= (uint64_t)(w->withitem != NULL) << FAMILY_WITHITEM;
    all |= (uint64_t)(w->match_case != NULL) << FAMILY_MATCH_CASE;
    all |= (uint64_t)(w->pattern != NULL) << FAMILY_PATTERN;
    all |= (uint64_t)(w->type_param != NULL) << FAMILY_TYPE_PARAM;
    all |= (uint64_t)(w->ty != NULL) << FAMILY_TY;
    return all;
}

