// version.h - the release, as `--version` says and as generated programs carry it.

#ifndef PYCHORAL_VERSION_H
#define PYCHORAL_VERSION_H

#define PYCHORAL_VERSION "0.1.0"
#define PYCHORAL_RELEASED "2026-11-21"

#endif
