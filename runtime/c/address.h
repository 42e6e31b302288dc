// address.h - addresses: which are understood, and who can reach them (PROTOCOL.md section 6), as
// addresses.py.

#ifndef PYCHORAL_ADDRESS_H
#define PYCHORAL_ADDRESS_H

#include <stdbool.h>

// Whether the text means an address, a right one or not.
bool pychoral_address_has_kind(const char *text);

// What is wrong with an address, as "is ..." or "has ..."; NULL if nothing is. libzmq takes a port
// above 65535 for another one, and 0 for any that is free, which no peer knows.
const char *pychoral_address_wrong(const char *text);

// Whether what is sent there stays on this machine.
bool pychoral_address_is_local(const char *address);

// Whether only processes of this user can be there: an ipc socket in a private directory.
bool pychoral_address_is_private(const char *address);

#endif
