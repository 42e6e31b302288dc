// agreeing.h - the values that a role and its peers must have been given alike (../agreement.h).

#ifndef PYCHORAL_AGREEING_H
#define PYCHORAL_AGREEING_H

#include "../pychoral.h"

// Finds what each link of the role has to compare; a default that is compared is made for that, and
// stays the value of its parameter. False: that raised, which is printed, or the value cannot be
// sent, which is the role's fault.
bool pychoral_agree(PychoralRole *role);

#endif
