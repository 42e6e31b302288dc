#!/bin/sh
# demo.sh - compiles dist_auth.pyc and runs its three endpoints:
# samples/demo.sh COMPILER PYTHON FOLDER
set -eu
compiler=$1 python=$2 folder=$3

echo "\$ pychoralc samples/dist_auth.pyc -o $folder"
"$compiler" samples/dist_auth.pyc -o "$folder"
ls "$folder"
echo

# Three processes, each told only what its own role knows; `--run` keeps this run apart from others.
run="--run demo-$$"
echo "\$ $python $folder/service.py &"
echo "\$ $python $folder/ip.py &"
echo "\$ $python $folder/client.py --username ada --password 'difference engine'"
"$python" "$folder/service.py" $run | sed 's/^/service.py: /' &
"$python" "$folder/ip.py" $run | sed 's/^/ip.py:      /' &
status=0
"$python" "$folder/client.py" $run --username ada --password "difference engine" \
    > "$folder/client.out" || status=$?
sed 's/^/client.py:  /' "$folder/client.out"
wait
exit $status
