// k_name.c - names of the C text: none is a keyword, a macro, a name of libc or of the prelude.

#include <ctype.h>
#include <stdio.h>

#include "compiler/base/qualified.h"
#include "compiler/emit/kernel/k_internal.h"

const char *k_text(Kernel *k, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *text = arena_vformat(k->arena, format, args);
    va_end(args);
    return text;
}

static bool is_keyword(const char *name)
{
    static const char *const WORDS[] = {
        "alignas", "alignof", "asm", "auto", "bool", "break", "case", "char", "const", "continue",
        "default", "do", "double", "else", "enum", "errno", "extern", "false", "float", "for",
        "fortran", "goto", "if", "inline", "int", "isfinite", "isinf", "isnan", "isnormal", "linux",
        "long", "main", "offsetof", "register", "restrict", "return", "setjmp", "short", "signbit",
        "signed", "sizeof", "static", "stderr", "stdin", "stdout", "struct", "switch", "true",
        "typedef", "typeof", "union", "unix", "unlikely", "unsigned", "void", "volatile", "while",
        NULL};
    return sym_is_one_of(name, WORDS);
}

// NAN, INT_MAX, M_PI: the headers have hundreds of them.
static bool is_like_macro(const char *name)
{
    for (const char *at = name; *at; at++)
        if (islower((unsigned char)*at))
            return strncmp(name, "PRI", 3) == 0 || strncmp(name, "SCN", 3) == 0;
    return name[0] != '\0' && name[1] != '\0';
}

// Functions of the headers that the prelude includes, and of libm. Types end in `_t`.
static bool is_of_libc(const char *name)
{
    static const char *const WORDS[] = {
        "abort", "abs", "access", "acos", "acosh", "alarm", "asin", "asinh", "asprintf", "atan",
        "atan2", "atanh", "atexit", "atof", "atoi", "atol", "atoll", "brk", "bsearch", "calloc",
        "canonicalize", "cbrt", "ceil", "chdir", "chown", "clearenv", "clearerr", "close",
        "copysign", "cos", "cosh", "ctermid", "cuserid", "daddl", "daemon", "ddivl", "dfmal", "div",
        "dmull", "dprintf", "drem", "dsqrtl", "dsubl", "dup", "environ", "erf", "erfc", "execl",
        "execv", "execve", "exit", "exp", "exp10", "exp2", "expm1", "fabs", "fadd", "fclose",
        "fdim", "fdiv", "fdopen", "feof", "ferror", "fflush", "ffma", "fgetc", "fgets", "fileno",
        "finite", "floor", "fma", "fmax", "fmaximum", "fmaxmag", "fmemopen", "fmin", "fminimum",
        "fminmag", "fmod", "fmul", "fopen", "fork", "fprintf", "fputc", "fputs", "fread", "free",
        "freopen", "frexp", "fromfp", "fromfpx", "fscanf", "fseek", "fsqrt", "fsub", "fsync",
        "ftell", "fwrite", "gamma", "getc", "getchar", "getdelim", "getenv", "getline",
        "getpayload", "gets", "getw", "hypot", "ilogb", "index", "isatty", "j0", "j1", "jn", "kill",
        "labs", "ldexp", "ldiv", "lgamma", "link", "llabs", "lldiv", "llogb", "llrint", "llround",
        "log", "log10", "log1p", "log2", "logb", "longjmp", "lrint", "lround", "lseek", "madvise",
        "malloc", "memccpy", "memchr", "memcmp", "memcpy", "memmove", "memset", "mlock", "mmap",
        "modf", "mprotect", "msync", "munmap", "nan", "nearbyint", "nextafter", "nextdown",
        "nexttoward", "nextup", "nice", "pause", "pclose", "perror", "pipe", "poll", "popen", "pow",
        "pow10", "printf", "putc", "putchar", "putenv", "puts", "putw", "qsort", "raise", "rand",
        "random", "read", "readlink", "realloc", "realpath", "remainder", "remove", "remquo",
        "rename", "renameat", "rewind", "rindex", "rint", "rmdir", "round", "roundeven", "sbrk",
        "scalb", "scalbln", "scalbn", "scanf", "select", "setbuf", "setbuffer", "setenv",
        "setlinebuf", "setpayload", "setvbuf", "siglongjmp", "significand", "sin", "sincos", "sinh",
        "sleep", "snprintf", "sprintf", "sqrt", "srand", "srandom", "sscanf", "stpcpy", "strcat",
        "strchr", "strcmp", "strcoll", "strcpy", "strdup", "strlen", "strsep", "strstr", "strtod",
        "strtok", "strtol", "swab", "symlink", "sync", "sysconf", "system", "tan", "tanh",
        "tempnam", "tgamma", "time", "tmpfile", "tmpnam", "totalorder", "totalordermag", "trunc",
        "truncate", "ufromfp", "ufromfpx", "ungetc", "unlink", "usleep", "vasprintf", "vdprintf",
        "vfork", "vfprintf", "vfscanf", "vprintf", "vscanf", "vsnprintf", "vsprintf", "vsscanf",
        "write", "y0", "y1", "yn", NULL};
    size_t len = strlen(name);
    bool suffix = len > 2 && (name[len - 1] == 'f' || name[len - 1] == 'l');
    char stem[32];
    snprintf(stem, sizeof stem, "%.*s", (int)len - 1, name);
    return sym_is_one_of(name, WORDS) || (suffix && sym_is_one_of(stem, WORDS))
           || (len > 2 && strcmp(name + len - 2, "_t") == 0);
}

// What begins so is of libc, whatever comes behind it.
static bool is_of_family(const char *name)
{
    return strncmp(name, "pthread_", 8) == 0 || strncmp(name, "str", 3) == 0
           || strncmp(name, "mem", 3) == 0 || strncmp(name, "__", 2) == 0;
}

// A variable may have the name of any other function of libc.
static bool is_called_directly(const char *name)
{
    static const char *const WORDS[] = {"atan2", "copysign", "erf", "erfc", "fabs", "hypot",
                                        "nextafter", "strcmp", NULL};
    return sym_is_one_of(name, WORDS);
}

static const char *ascii_name(Kernel *k, const char *name)
{
    char *text = arena_alloc(k->arena, strlen(name) * 4 + 2), *to = text;
    if (isdigit((unsigned char)*name))
        *to++ = '_';
    for (const char *at = name; *at; at++)
        if (isalnum((unsigned char)*at) || *at == '_')
            *to++ = *at;
        else if (strncmp(at, QUALIFIER, strlen(QUALIFIER)) == 0)
            at += strlen(QUALIFIER) - 1, *to++ = '_';
        else if (*at == '.')
            *to++ = '_';
        else if (*at != '<' && *at != '>')
            to += sprintf(to, "_%02x", (unsigned char)*at);
    *to = '\0';
    return text;
}

const char *k_member_name(Kernel *k, Sym wanted)
{
    const char *name = ascii_name(k, wanted);
    return is_keyword(name) || is_like_macro(name) ? k_text(k, "%s_", name) : name;
}

static bool is_taken(Kernel *k, const char *name, const Table *local)
{
    Sym key = names_get(k->names, name);
    bool libc = local == NULL ? is_of_libc(name) : is_called_directly(name);
    return is_keyword(name) || is_like_macro(name) || libc || sym_is(name, "call")
           || k_prelude_has(k, name) || table_get(k->taken, key) != NULL
           || (local != NULL && table_get(local, key) != NULL);
}

static const char *free_name(Kernel *k, const char *wanted, Table *local)
{
    const char *base = ascii_name(k, wanted), *name = base;
    if (is_like_macro(name) || (local == NULL && is_of_family(name)))
        name = base = k_text(k, "own_%s", base);        // a number after it would not help
    for (int i = 1; is_taken(k, name, local); i++)
        name = i == 1 ? k_text(k, "%s_", base) : k_text(k, "%s_%d", base, i);
    table_set(local ? local : k->taken, names_get(k->names, name), k);
    return name;
}

const char *k_global_name(Kernel *k, const char *wanted) { return free_name(k, wanted, NULL); }

const char *k_local_name(Kernel *k, Sym wanted) { return free_name(k, wanted, k->local_c); }

const char *k_fresh(Kernel *k, const char *base)
{
    return k_local_name(k, names_format(k->names, "%s%d_", base, ++k->temps));
}

const char *k_string(Kernel *k, Text text)
{
    Buf b = buf_new(k->arena);
    buf_putc(&b, '"');
    for (size_t i = 0; i < text.len; i++) {
        unsigned char byte = (unsigned char)text.at[i];
        if (byte == '"' || byte == '\\' || byte == '?')
            buf_printf(&b, "\\%c", byte);
        else if (byte >= 0x20 && byte < 0x7f)
            buf_putc(&b, (char)byte);
        else
            buf_printf(&b, "\\%03o", byte);
    }
    buf_putc(&b, '"');
    return buf_text(&b);
}

Diag *k_refuse(Kernel *k, Span at, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *text = arena_vformat(k->arena, format, args);
    va_end(args);
    Diag *d = diag_report(k->diags, at, DIAG_C_UNSUPPORTED, "%s", text);
    diag_help(d, "write the derivative in Python: use `--target=python`, and the suffix `.py` for "
              "an output file");
    k->failed = true;
    return d;
}

int k_line(const Kernel *k, Span at)
{
    uint32_t offset = at.start;
    const Source *file = source_file(k->o->source, &offset);
    return (int)source_place(file, offset).line;
}
