// endpoint_types.h - the type table at the end of a role's program.

#ifndef PYCHORAL_EMIT_ENDPOINT_TYPES_H
#define PYCHORAL_EMIT_ENDPOINT_TYPES_H

#include "compiler/emit/endpoint.h"

// `reached` says of each module beside the program whether it imports that.

// The body, with imports of the classes that only modules beside the program import.
StmtList endpoint_with_types(const EndpointCx *cx, StmtList body, const bool *reached);

// `types=(Point, None, lib.Answer),` of a program whose module binds these names; nothing if none
// of the classes is there.
void endpoint_print_types(Buf *b, const EndpointCx *cx, SymList bound, const bool *reached);

#endif
