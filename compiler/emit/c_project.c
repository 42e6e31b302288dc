// c_project.c - the Makefile of the programs in C.
//
// It is written for people, too: no rule is there that the programs do not need.

#include "compiler/emit/c_project.h"

#include <ctype.h>
#include <string.h>

#include "compiler/base/version.h"
#include "compiler/base/vec.h"
#include "compiler/emit/module_text.h"

typedef struct Maker {
    Buf *b;
    const EndpointCx *cx;
    CTargets targets;
    CRuntime runtime;
} Maker;

static void print_heading(Buf *b, const EndpointCx *cx, const char *comment, const char *purpose)
{
    buf_printf(b, "%s " GENERATED_MARK " " PYCHORAL_VERSION " from ", comment);
    for (const char *at = cx->source_name; *at; at++)
        buf_putc(b, iscntrl((unsigned char)*at) || *at == '\\' ? '?' : *at);
    buf_printf(b, " (sha256 %.16s) %s. Do not edit.\n", cx->source_hash, purpose);
}

void c_print_heading(Buf *b, const EndpointCx *cx, const char *purpose)
{
    print_heading(b, cx, "//", purpose);
}

// `all` and `clean` are targets, and a file `makefile` would be read instead of the Makefile.
Sym c_base_name(Names *names, Sym module)
{
    static const char *const taken[] = {"all", "clean", "makefile"};
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        if (sym_is(module, taken[i]))
            return names_format(names, "%s_", module);
    return module;
}

// ---- names ----

static bool ends_in(const char *name, const char *suffix)
{
    size_t len = strlen(name), tail = strlen(suffix);
    return len > tail && strcmp(name + len - tail, suffix) == 0;
}

static void put_programs(Maker *m)
{
    for (size_t i = 0; i < m->targets.len; i++)
        buf_printf(m->b, " %s", m->targets.at[i].base);
}

// The objects of a program's own files, and those of the user's.
static void put_objects(Maker *m, const CTarget *t)
{
    for (size_t i = 0; i < t->program.files.len; i++) {
        const char *name = t->program.files.at[i].name;
        if (ends_in(name, ".c"))
            buf_printf(m->b, " %.*so", (int)strlen(name) - 1, name);
    }
    for (size_t i = 0; i < t->program.foreign.len; i++)
        buf_printf(m->b, " %s.o", t->program.foreign.at[i]);
}

static SymList foreign_modules(const Maker *m)
{
    Vec(Sym) all = {0};
    for (size_t i = 0; i < m->targets.len; i++) {
        SymList foreign = m->targets.at[i].program.foreign;
        for (size_t j = 0; j < foreign.len; j++) {
            bool known = false;
            for (size_t k = 0; k < all.len; k++)
                known = known || all.at[k] == foreign.at[j];
            if (!known)
                vec_push(m->cx->arena, &all, foreign.at[j]);
        }
    }
    return (SymList){all.at, all.len};
}

// ---- the parts ----

static void put_comment(Maker *m, SymList foreign)
{
    print_heading(m->b, m->cx, "#", "to build its programs in C");
    buf_puts(m->b, "#\n"
                   "#   make              builds");
    put_programs(m);
    buf_puts(m->b, "\n"
                   "#   make clean        removes what was built\n"
                   "#   make CC=clang CFLAGS=\"-O0 -g\" V=1\n"
                   "#\n"
                   "# Debian packages: gcc make libzmq3-dev libgmp-dev zlib1g-dev libssl-dev\n");
    for (size_t i = 0; i < foreign.len; i++)
        buf_printf(m->b, "# %s.c, which implements %s.h, is yours: it is here, or in FOREIGN=\n",
                   foreign.at[i], foreign.at[i]);
}

// _FORTIFY_SOURCE needs an optimising compiler, and hides calls from sanitizers. A choice of the
// user's holds.
static void put_hardening(Maker *m)
{
    buf_puts(m->b, "\n"
                   "# Hardened, unless CFLAGS and LDFLAGS, which come after these, say otherwise.\n"
                   "OPTIONS = $(CC) $(CFLAGS) $(CPPFLAGS)\n"
                   "LEVEL   = $(lastword -O0 $(filter -O%,$(OPTIONS)))\n"
                   "CHOSEN  = $(foreach word,FORTIFY_SOURCE -fsanitize=,\\\n"
                   "          $(findstring $(word),$(OPTIONS)))\n"
                   "FORTIFY = $(if $(strip $(CHOSEN))$(filter -O0,$(LEVEL)),,-U_FORTIFY_SOURCE \\\n"
                   "          -D_FORTIFY_SOURCE=2)\n"
                   "HARDEN  = -fPIE -fstack-protector-strong $(FORTIFY)\n"
                   "\n");
}

static void put_variables(Maker *m, SymList foreign)
{
    buf_puts(m->b, "\n"
                   "CFLAGS ?= -O2 -g\n"
                   "WARN    = -Wall -Wextra -Werror\n"
                   "LIBS    = -lzmq -lgmp -lz -lcrypto -lm -lpthread\n");
    buf_printf(m->b, "RUNTIME = %s\n", m->runtime.folder);
    buf_printf(m->b, "LIBRARY = %s\n",
               m->runtime.library ? m->runtime.library : "$(RUNTIME)/libpychoral_runtime.a");
    if (foreign.len > 0)
        buf_puts(m->b, "FOREIGN ?= .\n");
    put_hardening(m);
    buf_puts(m->b, "CHOICE  = $(CC) -std=c17 -I$(RUNTIME) $(HARDEN) $(CFLAGS) $(CPPFLAGS)\n"
                   "COMPILE = $(CHOICE) -MMD -MP -c -o $@\n"
                   "LINK    = $(CC) -pie -Wl,-z,relro,-z,now $(CFLAGS) $(LDFLAGS)\n"
                   "Q      := $(if $(V),,@)\n"
                   "\n"
                   "# On all processors, unless -j says otherwise.\n"
                   "ifeq ($(filter -j% --jobserver% archive,$(MAKEFLAGS) $(MAKECMDGOALS)),)\n"
                   "MAKEFLAGS += -j$(shell nproc 2>/dev/null || echo 2)\n"
                   "endif\n"
                   "\n"
                   "# What a compiler that has failed may have missed.\n"
                   "NEEDED = zmq.h:libzmq3-dev gmp.h:libgmp-dev zlib.h:zlib1g-dev \\\n"
                   "         openssl/evp.h:libssl-dev\n"
                   "ADVISE = { for pair in $(NEEDED); do header=$${pair%:*}; \\\n"
                   "    echo \"\\#include <$$header>\" | $(CC) $(CPPFLAGS) -E -x c - \\\n"
                   "        >/dev/null 2>&1 || \\\n"
                   "        echo \"$$header is missing: apt-get install $${pair\\#*:}\" >&2; \\\n"
                   "    done; exit 1; }\n");
}

static void put_programs_rules(Maker *m)
{
    buf_puts(m->b, "\n.PHONY: all clean\nall:");
    put_programs(m);
    buf_puts(m->b, "\n\n");
    for (size_t i = 0; i < m->targets.len; i++) {
        buf_printf(m->b, "%s:", m->targets.at[i].base);
        put_objects(m, &m->targets.at[i]);
        buf_puts(m->b, "\n");
    }
    buf_puts(m->b, "\n");
    const char *separator = "";
    for (size_t i = 0; i < m->targets.len; i++, separator = " ")
        buf_printf(m->b, "%s%s", separator, m->targets.at[i].base);
    buf_puts(m->b, ": $(LIBRARY)\n"
                   "\t@echo \"  LD    $@\"\n"
                   "\t$(Q)$(LINK) -o $@ $(filter %.o,$^) $(LIBRARY) \\\n"
                   "\t    -Wl,--as-needed $(LIBS) || $(ADVISE)\n"
                   "\n"
                   "%.o: %.c\n"
                   "\t@echo \"  CC    $<\"\n"
                   "\t$(Q)$(COMPILE) $(WARN) $< || $(ADVISE)\n");
}

// With all that the system's headers have, as other programs are compiled; what is not declared
// would be called with the wrong types. `_GNU_SOURCE` is empty, as files define it themselves.
static void put_foreign_rules(Maker *m, SymList foreign)
{
    if (foreign.len > 0)
        buf_puts(m->b, "\n"
                       "OWN = $(COMPILE) -I. -D_GNU_SOURCE= -Wall \\\n"
                       "      -Werror=implicit-function-declaration\n");
    for (size_t i = 0; i < foreign.len; i++)
        buf_printf(m->b, "\n"
                         "%s.o: $(firstword $(wildcard %s.c $(FOREIGN)/%s.c) %s.c)\n"
                         "\t@echo \"  CC    $<\"\n"
                         "\t$(Q)$(OWN) $<\n"
                         "\n"
                         "%s.c:\n"
                         "\t@echo \"$@ is missing: you write it, for %s.h;\" \\\n"
                         "\t    \"it is looked for here and in FOREIGN=$(FOREIGN)\" >&2; exit 1\n",
                   foreign.at[i], foreign.at[i], foreign.at[i], foreign.at[i], foreign.at[i],
                   foreign.at[i]);
}

// `$$PPID` in a recipe is this make: what it compiles for the cache is its own. Names of files in
// what is compiled do not say where it was (PWD is what the compiler asks for the folder).
static void put_runtime_rules(Maker *m)
{
    buf_puts(m->b, "\n"
                   "# The runtime, once: compiled here, or taken from the cache below ~/.cache or\n"
                   "# $XDG_CACHE_HOME (make CACHE=, or PYCHORALC_CACHE=off: without it).\n"
                   "CACHE   = $(if $(filter off,$(PYCHORALC_CACHE)),,on)\n"
                   "KEYED   = $@ $(APART) $(AR) $(CHOICE) -D_POSIX_C_SOURCE=200809L\n"
                   "APART   = $(RUNTIME)/.build-$$PPID\n"
                   "BUILD   = $(RUNTIME)\n"
                   "include $(RUNTIME)/sources.mk\n"
                   "HEADERS = $(wildcard $(foreach end,h def inc sh,$(addsuffix .$(end),\\\n"
                   "          $(RUNTIME)/* $(RUNTIME)/*/*)))\n"
                   "export PWD := $(CURDIR)\n"
                   "\n"
                   "$(LIBRARY): $(SOURCES) $(HEADERS)\n"
                   "\t@rm -f $@\n"
                   "\t@$(if $(CACHE),sh $(RUNTIME)/cache.sh take $(KEYED))\n"
                   "\t@test -f $@ || $(MAKE) --no-print-directory archive \\\n"
                   "\t    BUILD=$$(test -d $(APART) && echo $(APART) || echo $(BUILD))\n"
                   "\t@$(if $(CACHE),sh $(RUNTIME)/cache.sh keep $(KEYED))\n"
                   "\t@test -f $@ || mv $(APART)/objects.a $@ 2>/dev/null || \\\n"
                   "\t    mv $(BUILD)/objects.a $@\n"
                   "\t@rm -rf $(APART)\n"
                   "\n"
                   ".PHONY: archive\n"
                   "archive: $(SOURCES:$(RUNTIME)/%.c=$(BUILD)/%.o)\n"
                   "\t@echo \"  AR    $(LIBRARY)\"\n"
                   "\t$(Q)rm -f $(BUILD)/objects.a && $(AR) rc $(BUILD)/objects.a $^\n"
                   "\n"
                   "$(BUILD)/%.o: $(RUNTIME)/%.c\n"
                   "\t@mkdir -p $(@D) && echo \"  CC    $<\"\n"
                   "\t$(Q)$(COMPILE) -D_POSIX_C_SOURCE=200809L -ffile-prefix-map=\"$$PWD\"=. \\\n"
                   "\t    $< || $(ADVISE)\n");
}

static void put_made(Maker *m, SymList foreign)
{
    buf_puts(m->b, "\nOBJECTS =");
    for (size_t i = 0; i < m->targets.len; i++)
        put_objects(m, &(CTarget){m->targets.at[i].base,
                                  {.files = m->targets.at[i].program.files}});
    for (size_t i = 0; i < foreign.len; i++)
        buf_printf(m->b, " %s.o", foreign.at[i]);
    buf_puts(m->b, m->runtime.library ? "\nMADE    =" : " $(SOURCES:.c=.o)\nMADE    = $(LIBRARY)");
    put_programs(m);
    buf_puts(m->b, " $(OBJECTS)\n");
}

// A file has the flags of the last time, and is written when they change.
static void put_flags(Maker *m)
{
    buf_puts(m->b, "\n"
                   "# Another compiler, or other flags, make all anew.\n"
                   "FLAGS = $(strip $(HARDEN) $(LINK) $(CPPFLAGS))\n"
                   "ifneq ($(file <.flags),$(FLAGS))\n"
                   ".PHONY: .flags\n"
                   "endif\n"
                   "$(MADE): .flags\n"
                   ".flags:\n"
                   "\t$(file >$@,$(FLAGS))\n");
}

static void put_clean(Maker *m)
{
    buf_printf(m->b, "\nclean:\n\t@rm -rf .flags $(MADE) $(OBJECTS:.o=.d)%s\n\n"
                     "-include $(OBJECTS:.o=.d)\n",
               m->runtime.library ? "" : " $(RUNTIME)/objects.a $(RUNTIME)/.build-*");
}

void emit_c_makefile(Buf *b, const EndpointCx *cx, CTargets targets, CRuntime runtime)
{
    Maker m = {b, cx, targets, runtime};
    SymList foreign = foreign_modules(&m);
    put_comment(&m, foreign);
    put_variables(&m, foreign);
    put_programs_rules(&m);
    put_foreign_rules(&m, foreign);
    if (runtime.library == NULL)
        put_runtime_rules(&m);
    put_made(&m, foreign);
    put_flags(&m);
    put_clean(&m);
}
