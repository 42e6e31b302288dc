#!/bin/sh
# choose-python.sh - prints the Python to use: the first that has what endpoints and tests need.
#
# The first python3 on PATH may be another one than Debian's, without Debian's packages.
for modules in "zmq, msgpack, mypy" "zmq, msgpack"; do
    for candidate in python3 /usr/bin/python3; do
        if "$candidate" -c "import $modules" >/dev/null 2>&1; then
            command -v "$candidate"
            exit 0
        fi
    done
done
echo python3
