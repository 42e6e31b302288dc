#!/bin/sh
# cache.sh - the library of the runtime, compiled once for many programs (docs/c-target.md).
#
#   cache.sh take LIBRARY BUILD AR COMPILE...   LIBRARY from the cache, or else makes a folder BUILD
#   cache.sh keep LIBRARY BUILD AR COMPILE...   puts BUILD/objects.a there, compiled in BUILD alone
#
# Rules: nothing here is an error, since programs build without a cache. An entry is a folder named
# by its key, which is a hash of all that decides what the compiler writes: where that is not known,
# there is no key. Entries appear and go by one rename, so that no reader meets half of one; what
# comes out is the copy whose digest has been checked. No locks.

exec 2>/dev/null
set -f
unset CDPATH
export LC_ALL=C
LIMIT_KIB=2097152               # 2 GiB
ARCHIVE=libpychoral_runtime.a

# Whether a folder is a real one of root's or ours that nobody else may write.
is_guarded()
{
    [ -n "$(find "$1" -prune -type d \( -user 0 -o -user "$user" \) ! -perm -020 ! -perm -002)" ]
}

# Prints the folder of the cache, which it makes; fails if anything on the way is not guarded.
find_folder()
{
    rest=${XDG_CACHE_HOME:-${HOME:+$HOME/.cache}}/pychoralc
    path=
    case $rest in //* | [!/]* | /pychoralc) return 1 ;; esac
    is_guarded / || return 1
    while [ -n "$rest" ]; do
        rest=${rest#/}
        path=$path/${rest%%/*}
        case $rest in */*) rest=/${rest#*/} ;; *) rest= ;; esac
        [ -e "$path" ] || [ -L "$path" ] || mkdir -m 700 "$path"    # another build may be first
        is_guarded "$path" || return 1
    done
    [ -n "$(find "$path" -prune -user "$user" -perm 700)" ] && printf '%s\n' "$path"
}

# AR COMPILE...: whether its options name no file but headers, whose text is part of the key, and
# have nothing but the object written.
are_plain()
{
    shift 2
    for word; do
        case $word in
        -W[alp],* | *native* | -gsplit* | -flto* | -fmodule* | -fplugin* | -fprofile* | -fauto* \
            | -fbranch* | -fcoverage* | -ftest* | -fcallgraph* | -fdump* | -fsave* \
            | -fstack-usage | -ftime-trace*)
            return 1 ;;
        -fsanitize=* | -fno-sanitize*=* | -fsanitize-recover=* | -fvisibility=* \
            | -fcf-protection=* | -ffp-contract=* | -ftrivial-auto-var-init=*) ;;
        -f*=*) return 1 ;;
        -[OgDUIWmf]?* | -g | -O | -w | -std=* | -pipe | -pthread) ;;
        *) return 1 ;;
        esac
    done
}

# A program's path, size and time, if it is a file.
identify()
{
    path=$(command -v "$1") || path=$1
    case $path in /*) stat -L -c '%n %s %y' "$path" || return 1 ;; *) printf '%s\n' "$path" ;; esac
}

# AR COMPILE...: the programs, their parts, and what changes what they do.
describe_tools()
{
    ar=$1
    shift
    identify "$1" && identify "$ar" && "$1" --version && "$ar" --version || return 1
    identify "$("$1" -print-prog-name=cc1)" && identify "$("$1" -print-prog-name=as)" || return 1
    env | sort | grep -E '^(GCC|CCC|CLANG|COMPILER|CCACHE|C_INCLUDE|CPATH|SOURCE_DATE)'
    printf '%s\n' "$@"
}

# Digests of the sources that are beside this file.
list_sources()
{
    cd "$runtime" && find -L . -path './.build-*' -prune -o -type f ! -name '*.[oad]' \
        ! -name '*.py*' ! -name 'py.typed' ! -name '*.so' -print \
        | sort | tr '\n' '\0' | xargs -0 sha256sum
}

# AR COMPILE...: all headers of the system that the sources include, as the compiler sees them.
read_headers()
{
    shift
    find -L "$runtime" -name '*.[ch]' -exec sed -n 's/^ *# *include *<\(.*\)>.*/\1/p' '{}' + \
        | sort -u | sed 's/.*/#if __has_include(<&>)\n#include <&>\n#endif/' \
        | "$@" -g0 -E -dD -x c -
}

# AR COMPILE...: the key of the library; fails if something is not known.
find_key()
{
    case $PWD in *=*) return 1 ;; esac          # -ffile-prefix-map has no way to write it
    are_plain "$@" && tools=$(describe_tools "$@") && sources=$(list_sources) \
        && headers=$(read_headers "$@") || return 1
    printf '%s\n' "$tools" "$sources" "$headers" | sha256sum | cut -c 1-64
}

# The digest of the archive on standard input, for one key only.
digest()
{
    { printf '%s\n' "$1"; cat; } | sha256sum
}

# Copies the archive of an entry, if it is whole.
fetch()
{
    for name in "" "/$ARCHIVE"; do
        [ -n "$(find "$2$name" -prune ! -type l -user "$user" ! -perm -020 ! -perm -002)" ] \
            || return 1
    done
    [ -f "$2/$ARCHIVE" ] && [ -f "$2/sha256" ] && cat "$2/$ARCHIVE" >"$build/taken" \
        && [ "$(digest "$1" <"$build/taken")" = "$(cat "$2/sha256")" ] \
        && mv "$build/taken" "$library"
}

# Takes an entry out, or whatever has its name.
discard()
{
    old=$(mktemp -d "$folder/.old-XXXXXX") || return
    mv "$folder/$1" "$old"
    rm -rf "$old"
}

# Puts the archive into the cache; who comes second throws his away.
store()
{
    new=$(mktemp -d "$folder/.new-XXXXXX") || return
    digest "$1" <"$build/objects.a" >"$new/sha256" && cp "$build/objects.a" "$new/$ARCHIVE" \
        && [ "$(digest "$1" <"$new/$ARCHIVE")" = "$(cat "$new/sha256")" ] \
        && mv -T "$new" "$folder/$1" || rm -rf "$new"
}

# Lets go of what was not used for longest, and of what killed builds have left.
trim()
{
    find "$folder" -mindepth 1 -maxdepth 1 -name '.*' -mmin +60 -exec rm -rf '{}' +
    total=0
    for name in $(ls -t "$folder"); do
        case $name in *[!0-9a-f]*) continue ;; esac
        size=$(du -sk --apparent-size "$folder/$name" | cut -f 1)
        total=$((total + ${size:-0}))
        [ "$total" -le "$LIMIT_KIB" ] || discard "$name"
    done
}

what=$1 library=$2 build=$3
shift 3
runtime=$(dirname "$0")
user=$(id -u)
folder=$(find_folder) && key=$(find_key "$@") && [ ${#key} -eq 64 ] || exit 0
case $what in
take)
    rm -rf "$build" && mkdir "$build" || exit 0
    if fetch "$key" "$folder/$key"; then
        touch "$folder/$key"
        exit 0
    fi
    rm -f "$build/taken"
    [ ! -e "$folder/$key" ] && [ ! -L "$folder/$key" ] || discard "$key"
    echo "$key" >"$build/key"
    ;;
keep)
    [ "$key" = "$(cat "$build/key")" ] && store "$key" && trim      # the sources are as they were
    ;;
esac
exit 0
