// search.h - finds the files that modules are imported from, for the library (base/loader.h).

#ifndef PYCHORAL_COMMAND_SEARCH_H
#define PYCHORAL_COMMAND_SEARCH_H

#include "compiler/base/loader.h"
#include "compiler/command/session.h"

// Looks beside the importing file, then in the folders given with `-I`, in their order.
Loader search_loader(Session *s);
// The folder whose `stdlib` has the stubs of the standard library; NULL: there is none.
const char *search_typeshed(const Session *s);
// Are the folders that -I names there, and is that of --typeshed one of stubs? Reports.
Status search_folders_there(Session *s);

#endif
