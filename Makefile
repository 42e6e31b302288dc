# Makefile - everything: build, demo, check, bench, lint, fuzz, install. Not recursive; safe with -j.
#
# Output is under build/<variant>, generated code under build/gen. `make help` lists the targets.
# A target that needs Debian packages installs those that are missing first (tests/install.sh).
# Variables: variant=release|debug|sanitize, CC=, PYTHON=, O= (output folder), V=1 (show commands).

variant ?= release
O       ?= build
B        = $(O)/$(variant)
G        = $(O)/gen
Q       := $(if $(V),,@)
PREFIX  ?= /usr/local

CC     ?= cc
FLEX   ?= flex
BISON  ?= bison
UNICODE_DATA ?= /usr/share/unicode
PYTHON ?= $(eval PYTHON := $(shell sh tests/choose-python.sh))$(PYTHON)
JOBS   ?= $(shell nproc 2>/dev/null || echo 2)

CFLAGS.debug    = -O0 -g
CFLAGS.release  = -O2 -g1 -DNDEBUG
CFLAGS.sanitize = -O1 -g -fsanitize=address,undefined -fno-omit-frame-pointer -fno-sanitize-recover=undefined
CFLAGS.fuzz     = -O1 -g -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined
WARN = -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla
CPPFLAGS += -I. -I$(G) -D_POSIX_C_SOURCE=200809L
ALL_CFLAGS = -std=c11 $(CFLAGS.$(variant)) $(WARN) $(WERROR) $(CFLAGS)
LDLIBS += -lutf8proc

LIB_SRC  = $(filter-out compiler/front/unigen.c compiler/ir/asdlgen.c compiler/ir/asdl_read.c compiler/base/pagegen.c typecheck/stubs/stubgen.c, \
             $(sort $(wildcard compiler/base/*.c compiler/ir/*.c compiler/front/*.c compiler/pass/*.c compiler/pass/ad/*.c \
                               compiler/emit/*.c compiler/emit/c/*.c compiler/emit/kernel/*.c typecheck/*.c typecheck/*/*.c projection/*.c \
                               compiler/distribute/*.c compiler/virtualize/*.c)))
PROG_SRC = compiler/main.c $(sort $(wildcard compiler/command/*.c))
GEN_SRC  = $(G)/ir_gen.c $(G)/parser.c $(G)/lexer.c $(G)/unicode_tables.c
GENH     = $(G)/ir_gen.h $(G)/parser.h $(G)/diag_pages.inc $(G)/stubs.inc $(G)/kernel_prelude.inc $(G)/kernel_twin.inc
LIB_OBJ  = $(LIB_SRC:%.c=$(B)/%.o) $(GEN_SRC:$(G)/%.c=$(B)/gen/%.o)
PROG_OBJ = $(PROG_SRC:%.c=$(B)/%.o)
UNIT_OBJ = $(patsubst %.c,$(B)/%.o,$(sort $(wildcard tests/unit/*.c)))

# The channel runtime of C programs: of its own, linked with nothing of the compiler.
RT_OBJ      = $(patsubst %.c,$(B)/%.o,$(sort $(wildcard runtime/c/*.c runtime/c/builtins/*.c runtime/c/modules/*.c)))
RT_UNIT_OBJ = $(patsubst %.c,$(B)/%.o,$(sort $(wildcard tests/unit-runtime/*.c)))
RT_FUZZ     = fuzz_value fuzz_frame fuzz_header
# Hardened as generated Makefiles do it, unless CFLAGS says otherwise.
HARDEN.release = -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2
RT_CFLAGS   = -fPIE -fstack-protector-strong $(if $(findstring FORTIFY,$(CFLAGS))$(findstring -O0,$(CFLAGS)),,$(HARDEN.$(variant)))
RT_LIBS     = -lzmq -lgmp -lz -lcrypto -lm -lpthread

.PHONY: all
all: $(B)/pychoralc $(B)/libpychoral_runtime.a  ## build the compiler and the C runtime: build/<variant>/pychoralc

# A file has the flags of the last time: another compiler, or other flags, make all anew.
FLAGS = $(strip $(CC) $(RT_CFLAGS) $(CFLAGS) $(CPPFLAGS))
ifneq ($(file <$(B)/flags),$(FLAGS))
.PHONY: $(B)/flags
endif
$(LIB_OBJ) $(PROG_OBJ) $(UNIT_OBJ) $(RT_OBJ) $(RT_UNIT_OBJ): $(B)/flags

$(B)/flags:
	@mkdir -p $(@D) && echo '$(FLAGS)' > $@

$(B)/pychoralc: $(PROG_OBJ) $(B)/libpychoral.a
	@echo "  LD    $@"
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)
	$(Q)mkdir -p $(O)/share/pychoralc && for name in python c; do \
	    ln -sfn $(CURDIR)/runtime/$$name $(O)/share/pychoralc/$$name; done

$(B)/libpychoral.a: $(LIB_OBJ)
	@echo "  AR    $@"
	$(Q)rm -f $@ && $(AR) rc $@ $^

.PHONY: runtime
runtime: $(B)/libpychoral_runtime.a  ## build the C runtime: build/<variant>/libpychoral_runtime.a

$(B)/libpychoral_runtime.a: $(RT_OBJ)
	@echo "  AR    $@"
	$(Q)rm -f $@ && $(AR) rc $@ $^

$(B)/runtime/c/%.o: runtime/c/%.c | packages-runtime
	@mkdir -p $(@D)
	@echo "  CC    $<"
	$(Q)$(CC) -Iruntime/c -D_POSIX_C_SOURCE=200809L $(RT_CFLAGS) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

# The types that the tests of the value codecs share, as C rows.
$(G)/value_rows.c: tests/values/rows.py tests/values/types_of_tests.py
	@mkdir -p $(@D)
	@echo "  ROWS  $@"
	$(Q)$(PYTHON) $< $@.tmp && mv $@.tmp $@

$(B)/gen/value_rows.o: $(G)/value_rows.c
	@mkdir -p $(@D)
	@echo "  CC    $<"
	$(Q)$(CC) -Iruntime/c -Itests/values $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

$(B)/tests/values/%.o: tests/values/%.c | packages-runtime
	@mkdir -p $(@D)
	@echo "  CC    $<"
	$(Q)$(CC) -Iruntime/c -Itests/values -D_POSIX_C_SOURCE=200809L $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

VALUE_OBJ = $(B)/gen/value_rows.o $(B)/libpychoral_runtime.a

# Endpoints on the C runtime, written by hand.
$(B)/tests/runtime-c/%.o: tests/runtime-c/%.c | packages-runtime
	@mkdir -p $(@D)
	@echo "  CC    $<"
	$(Q)$(CC) -Iruntime/c -Itests/values -D_POSIX_C_SOURCE=200809L $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

$(B)/interop $(B)/pingpong $(B)/memory $(B)/secure: $(B)/%: $(B)/tests/runtime-c/%.o $(B)/tests/runtime-c/endpoints.o $(VALUE_OBJ)
	@echo "  LD    $@"
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(RT_LIBS)

$(B)/value_server: $(B)/tests/values/value_server.o $(VALUE_OBJ)
	@echo "  LD    $@"
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(RT_LIBS)

# builtins_NAME: tests/builtins/NAME.c, which calls what generated programs stand on.
$(B)/tests/builtins/%.o: tests/builtins/%.c | packages-runtime
	@mkdir -p $(@D)
	@echo "  CC    $<"
	$(Q)$(CC) -Iruntime/c -D_POSIX_C_SOURCE=200809L $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

.PRECIOUS: $(B)/tests/builtins/%.o
$(B)/builtins_%: $(B)/tests/builtins/%.o $(B)/libpychoral_runtime.a
	@echo "  LD    $@"
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(RT_LIBS)

# fuzz_NAME: tests/fuzz/fuzz_NAME.c with the C runtime under libFuzzer.
$(RT_FUZZ:%=$(B)/%.o) $(B)/bench_codec.o: $(B)/%.o: | packages-runtime
	@mkdir -p $(@D)
	@echo "  CC    $@"
	$(Q)$(CC) -Iruntime/c -Itests/values -D_POSIX_C_SOURCE=200809L $(ALL_CFLAGS) -MMD -MP -c -o $@ \
	    $(wildcard tests/*/$*.c)

$(RT_FUZZ:%=$(B)/%): %: %.o $(VALUE_OBJ)
	@echo "  LD    $@"
	$(Q)$(CC) $(ALL_CFLAGS) -fsanitize=fuzzer $(LDFLAGS) -o $@ $^ $(RT_LIBS)

$(B)/bench_codec: $(B)/bench_codec.o $(VALUE_OBJ)
	@echo "  LD    $@"
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(RT_LIBS)

$(B)/tests/schedules/%.o $(B)/tests/sim/%.o $(B)/tests/faults/%.o: CPPFLAGS += -Iruntime/c

$(B)/tests/unit-runtime/%.o: tests/unit-runtime/%.c | packages-runtime packages-check
	@mkdir -p $(@D)
	@echo "  CC    $<"
	$(Q)$(CC) -I. -I$(G) -Iruntime/c -Itests/values -D_POSIX_C_SOURCE=200809L $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

$(B)/%.o: %.c | $(GENH)
	@mkdir -p $(@D)
	@echo "  CC    $<"
	$(Q)$(CC) $(CPPFLAGS) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

$(B)/gen/%.o: $(G)/%.c | $(GENH)
	@mkdir -p $(@D)
	@echo "  CC    $<"
	$(Q)$(CC) $(CPPFLAGS) $(ALL_CFLAGS) -Wno-missing-prototypes -Wno-error -MMD -MP -c -o $@ $<

$(G)/asdlgen: compiler/ir/asdlgen.c compiler/ir/asdl_read.c compiler/ir/asdl_read.h | packages-build
	@mkdir -p $(@D)
	@echo "  HOST  $@"
	$(Q)$(CC) -std=c11 -O1 -g $(WARN) -I. -D_POSIX_C_SOURCE=200809L -o $@ $(filter %.c,$^)

$(G)/ir_gen.h: compiler/ir/ir.asdl $(G)/asdlgen
	@echo "  ASDL  $@"
	$(Q)$(G)/asdlgen -h $< > $@.tmp && mv $@.tmp $@

$(G)/ir_gen.c: compiler/ir/ir.asdl $(G)/asdlgen
	@echo "  ASDL  $@"
	$(Q)$(G)/asdlgen -c $< > $@.tmp && mv $@.tmp $@

PAGES = $(sort $(wildcard compiler/base/explain/*.md))

$(G)/pagegen: compiler/base/pagegen.c | packages-build
	@mkdir -p $(@D)
	@echo "  HOST  $@"
	$(Q)$(CC) -std=c11 -O1 -g $(WARN) -o $@ $<

$(G)/diag_pages.inc: $(G)/pagegen $(PAGES) compiler/base/explain
	@echo "  PAGES $@"
	$(Q)$(G)/pagegen $(PAGES) > $@.tmp && mv $@.tmp $@

STUBS = $(sort $(wildcard typecheck/stubs/*.pyi))

# What generated gradients in C stand on, as texts.
PRELUDE = $(sort $(wildcard compiler/emit/kernel/prelude/*.c))
$(G)/kernel_prelude.inc: $(G)/pagegen $(PRELUDE) compiler/emit/kernel/prelude
	@echo "  PAGES $@"
	$(Q)$(G)/pagegen $(PRELUDE) > $@.tmp && mv $@.tmp $@

TWIN = $(sort $(wildcard compiler/emit/kernel/twin/*.py))
$(G)/kernel_twin.inc: $(G)/pagegen $(TWIN) compiler/emit/kernel/twin
	@echo "  PAGES $@"
	$(Q)$(G)/pagegen $(TWIN) > $@.tmp && mv $@.tmp $@

$(G)/stubgen: typecheck/stubs/stubgen.c | packages-build
	@mkdir -p $(@D)
	@echo "  HOST  $@"
	$(Q)$(CC) -std=c11 -O1 -g $(WARN) -o $@ $<

$(G)/stubs.inc: $(G)/stubgen $(STUBS) typecheck/stubs
	@echo "  STUBS $@"
	$(Q)$(G)/stubgen $(STUBS) > $@.tmp && mv $@.tmp $@

$(G)/parser.c $(G)/parser.h &: compiler/front/parser.y | packages-build
	@mkdir -p $(@D)
	@echo "  BISON $<"
	$(Q)$(BISON) -Wall -Werror -Wno-yacc --header=$(G)/parser.h -o $(G)/parser.c $<

$(G)/lexer.c: compiler/front/lexer.l | packages-build
	@mkdir -p $(@D)
	@echo "  FLEX  $<"
	$(Q)$(FLEX) -o $@ $<

$(G)/unigen: compiler/front/unigen.c compiler/front/unicode_tables.h | packages-build
	@mkdir -p $(@D)
	@echo "  HOST  $@"
	$(Q)$(CC) -std=c11 -O1 -g $(WARN) -I. -o $@ $<

$(G)/unicode_tables.c: $(G)/unigen
	@echo "  UCD   $@"
	$(Q)$(G)/unigen $(UNICODE_DATA) > $@.tmp && mv $@.tmp $@

# ---- packages: each target asks only for what it itself needs ----

PACKAGES.build = libc6-dev flex bison libutf8proc-dev unicode-data
PACKAGES.runtime = libc6-dev libzmq3-dev libgmp-dev zlib1g-dev libssl-dev
PACKAGES.run   = python3 python3-zmq python3-msgpack
PACKAGES.check = $(PACKAGES.run) python3-numpy pkg-config check mypy
PACKAGES.grad  = $(PACKAGES.run) python3-mpmath
PACKAGES.cpython = python3 libpython3.11-testsuite
PACKAGES.clang = clang libclang-rt-14-dev
PACKAGES.lint  = python3 universal-ctags
PACKAGES.docs  = python3-sphinx python3-myst-parser
PACKAGES.virtual = $(PACKAGES.cpython) python3-dev
PACKAGES.demos = python3-numpy python3-z3 python3-torch
PACKAGES.bench-grad = g++ libadolc-dev python3-torch python3-venv
PACKAGES.cli   = $(PACKAGES.check) mandoc bash zsh fish tmux

PACKAGE_SETS = build runtime run check grad cpython clang lint cli docs virtual demos bench-grad
.PHONY: $(PACKAGE_SETS:%=packages-%)
$(PACKAGE_SETS:%=packages-%): packages-%:
	@sh tests/install.sh $(PACKAGES.$*)

# ---- the default hooks of virtualized programs, in C: for the Python that it is built with ----

VIRTUAL = runtime/python/pychoral/virtual
PYTHON_CONFIG = $(PYTHON) -c "import sysconfig as s; print(s.get_paths()['include'], s.get_config_var('EXT_SUFFIX'))"

.PHONY: virtual
virtual: | packages-virtual  ## build the native default hooks of pychoral.virtual, in its folder
	@set -- $$($(PYTHON_CONFIG)) && $(MAKE) --no-print-directory INCLUDE=$$1 $(VIRTUAL)/_fast$$2

$(VIRTUAL)/_fast%.so: $(VIRTUAL)/_fast.h $(addprefix $(VIRTUAL)/_fast,.c _boxes.c _calls.c _mend.c)
	@echo "  CC    $@"
	$(Q)$(CC) -std=c11 -O2 -g -DNDEBUG $(filter-out -Wpedantic,$(WARN)) $(WERROR) -shared -fPIC -fvisibility=hidden -isystem $(INCLUDE) \
	    -o $@.tmp $(filter %.c,$^) && mv $@.tmp $@

# ---- using it ----

.PHONY: demo install clean help
demo: $(B)/pychoralc | packages-run  ## compile samples/dist_auth.pyc and run its three endpoints
	@sh samples/demo.sh $(B)/pychoralc $(PYTHON) $(O)/demo

install: $(B)/pychoralc $(B)/libpychoral_runtime.a  ## install under DESTDIR= PREFIX= (default /usr/local)
	install -D -m 755 $(B)/pychoralc $(DESTDIR)$(PREFIX)/bin/pychoralc
	install -d $(DESTDIR)$(PREFIX)/share/pychoralc/python/pychoral
	install -m 644 runtime/python/pychoral/*.py runtime/python/pychoral/*.pyi \
	    runtime/python/pychoral/py.typed $(DESTDIR)$(PREFIX)/share/pychoralc/python/pychoral
	install -d $(DESTDIR)$(PREFIX)/share/pychoralc/python/pychoral/virtual
	install -m 644 $(wildcard $(VIRTUAL)/*.py $(VIRTUAL)/*.so) \
	    $(DESTDIR)$(PREFIX)/share/pychoralc/python/pychoral/virtual
	for part in . builtins modules; do \
	    install -d $(DESTDIR)$(PREFIX)/share/pychoralc/c/$$part && \
	    for file in runtime/c/$$part/*.[ch] runtime/c/$$part/*.def runtime/c/$$part/*.inc \
	            runtime/c/$$part/*.sh; do \
	        test ! -f $$file || \
	            install -m 644 $$file $(DESTDIR)$(PREFIX)/share/pychoralc/c/$$part || exit 1; \
	    done || exit 1; \
	done
	install -m 644 $(B)/libpychoral_runtime.a $(DESTDIR)$(PREFIX)/share/pychoralc/c
	@for file in completions-bash completions-zsh completions-fish manual; do \
	    $(B)/pychoralc $$(echo $$file | tr - ' ') > $(B)/$$file || exit 1; \
	done
	install -D -m 644 $(B)/manual $(DESTDIR)$(PREFIX)/share/man/man1/pychoralc.1
	install -D -m 644 $(B)/completions-bash \
	    $(DESTDIR)$(PREFIX)/share/bash-completion/completions/pychoralc
	install -D -m 644 $(B)/completions-zsh \
	    $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_pychoralc
	install -D -m 644 $(B)/completions-fish \
	    $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/pychoralc.fish
	install -d $(DESTDIR)$(PREFIX)/share/doc/pychoralc/samples
	install -d $(DESTDIR)$(PREFIX)/share/doc/pychoralc/docs
	install -m 644 README.md LICENSE $(DESTDIR)$(PREFIX)/share/doc/pychoralc
	install -m 644 docs/*.md $(DESTDIR)$(PREFIX)/share/doc/pychoralc/docs
	install -m 644 samples/*.pyc samples/README.md $(DESTDIR)$(PREFIX)/share/doc/pychoralc/samples

# Sphinx belongs to Debian's own Python, whichever one is first on PATH.
.PHONY: docs
docs: | packages-docs  ## the book as HTML: build/docs/index.html
	@$(PYTHON) docs/prepare.py $(O)/docs-source
	@rm -rf $(O)/docs
	@/usr/bin/python3 -m sphinx -W --keep-going -q -d $(O)/docs-cache $(O)/docs-source $(O)/docs
	@echo "$(O)/docs/index.html"

clean:  ## remove everything that was built
	rm -rf $(O)

help:  ## print this list
	@sed -n 's/^\([a-z][a-z-]*\):.*  ## /\1\t/p' Makefile | sort | while IFS="$$(printf '\t')" read -r name text; \
	do printf '  make %-16s %s\n' "$$name" "$$text"; done

# ---- checking it ----

.PHONY: check check-all check-unit check-annotated check-desugared check-runtime check-runner check-cli \
        check-cpython check-cpython-short check-typing lint mutants fuzz fuzz-state fuzz-loading check-fuzz fuzz-bytes fuzz-runtime bench bench-runtime bench-c bench-codec fuzz-c fuzz-c-mutated
# What `make check` runs: a suite joins by `SUITES += check-NAME` beside its rule. Those that take
# longest come first. Each line of a recipe is a step: tests/step runs it, and records its time and
# its cases in $(STEPS).
SUITES = check-annotated check-runtime check-fuzz check-typing check-cli check-cpython-short check-builtins \
         check-desugared check-runner check-durable check-unit
export STEPS ?= $(O)/steps
# The tests are to see what users see, whose Python buffers what it prints into a pipe.
unexport PYTHONUNBUFFERED
check-%: private SHELL = tests/step
check-%: private .SHELLFLAGS = $(@) -c

# Suites side by side, one more than there are processors, as some wait for a peer or a deadline,
# unless -j says otherwise.
PARALLEL = $(if $(findstring jobserver,$(MAKEFLAGS)),,-j$$(($(JOBS) + 1)))
SIDE_BY_SIDE = --no-print-directory -k -Otarget $(PARALLEL)

check: | packages-build packages-runtime packages-cli packages-cpython  ## all tests but the long ones; TIMES=1: which steps took longest
	@mkdir -p $(O) && rm -rf $(STEPS) $(STEPS).incomplete $(O)/pycache/tmp
	@$(MAKE) $(SIDE_BY_SIDE) $(SUITES) || touch $(STEPS).incomplete
	@$(PYTHON) tests/times $(if $(TIMES),,--quiet) $(STEPS) && test ! -e $(STEPS).incomplete

quick: $(B)/pychoralc $(B)/libpychoral_runtime.a $(B)/unit | packages-check packages-lint  ## while you write: unit tests, lint, and a tenth of the annotated programs, by what has changed
	@$(MAKE) $(SIDE_BY_SIDE) RUN=--tenth check-annotated check-unit lint

# The programs in C are built under the sanitizers only: `make check` has built them plainly.
# CHECKED=1: `make check` ran just before, with a gcc and WERROR=-Werror, so that only its bytes are
# compared.
VARIANTS = $(if $(CHECKED),,gcc-release) $(if $(ALL),gcc-sanitize clang-release) clang-sanitize
COMPARED = $(if $(CHECKED),$(O)/release/pychoralc) $(foreach each,$(subst -,/,$(VARIANTS)),$(O)/$(each)/pychoralc)

check-all: private SHELL = /bin/sh
check-all: private .SHELLFLAGS = -c
check-all: | packages-check packages-clang  ## the same with gcc and, sanitized, with clang: equal bytes; ALL=1: both compilers, plain and sanitized
	@for each in $(VARIANTS); do cc=$${each%-*} variant=$${each#*-}; \
	    echo "== $$cc $$variant"; \
	    run=--no-mypy; [ $$variant = sanitize ] || run="$$run --no-c"; \
	    build="$(MAKE) --no-print-directory CC=$$cc variant=$$variant O=$(O)/$$cc WERROR=-Werror"; \
	    $$build $(PARALLEL) unit-build all && \
	        STEP_PREFIX=$$each/ $$build $(SIDE_BY_SIDE) RUN="$$run" check-annotated check-unit || exit 1; \
	done
	@$(MAKE) --no-print-directory check-variants check-cache

.PHONY: check-variants check-cache quick
check-cache: $(B)/pychoralc | packages-cli  ## the cache of the compiled runtime: whose it is, what is broken, killed or changed in it
	@$(PYTHON) tests/cli/test_cache.py --compiler $(B)/pychoralc

check-variants:
	@$(PYTHON) tests/cli/test_variants.py $(COMPARED)

check-unit: $(B)/unit  ## C unit tests
	@$(B)/unit

.PHONY: check-partial
SUITES += check-partial
check-partial: | packages-check  ## derivatives of the primitives, against 80 digits
	@$(PYTHON) tests/grad/partial.py

# The seven transformations of terms, without the command line.
$(B)/terms: $(B)/tests/grad/modes/terms.o $(B)/libpychoral.a
	@echo "  LD    $@"
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

-include $(B)/tests/grad/modes/terms.d

.PHONY: check-modes
SUITES += check-modes
check-modes: $(B)/terms $(B)/pychoralc | packages-check  ## the seven transformations: golden texts, programs, N= random terms from SEED=
	@$(PYTHON) tests/grad/modes/golden.py --terms $(B)/terms
	@$(PYTHON) tests/grad/modes/judge.py --terms $(B)/terms
	@$(PYTHON) tests/grad/modes/several_judge.py --terms $(B)/terms
	@$(PYTHON) tests/grad/modes/refusals.py --terms $(B)/terms
	@$(PYTHON) tests/grad/modes/random_terms.py $(if $(filter file,$(origin N)),3000,$(N)) $(SEED) | $(B)/terms --equal
	@$(PYTHON) tests/grad/modes/fuzz.py 100 1 --compiler $(B)/pychoralc

.PHONY: fuzz-modes
fuzz-modes: $(B)/pychoralc | packages-check  ## N= random programs from SEED= in all modes of derivatives: they agree
	@mkdir -p $(O)/fuzz/grad
	@$(PYTHON) tests/grad/modes/fuzz.py $(N) $(SEED) --compiler $(B)/pychoralc --keep $(O)/fuzz/grad

.PHONY: fuzz-arrays
fuzz-arrays: $(B)/array_tool | packages-check  ## N= random array functions from SEED=, as terms and with stores: values and gradients
	@/usr/bin/python3 tests/grad/terms.py $(B)/array_tool $(N) $(SEED)
	@/usr/bin/python3 tests/grad/stores.py $(B)/array_tool $(N) $(SEED)

.PHONY: unit-build
unit-build: $(B)/unit

$(B)/unit: $(UNIT_OBJ) $(B)/libpychoral.a | packages-check
	@echo "  LD    $@"
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $(UNIT_OBJ) $(B)/libpychoral.a \
	    $$(pkg-config --cflags --libs check) $(LDLIBS)

$(UNIT_OBJ): | packages-check

# A test file test_NAME.c defines the suite NAME_suite.
$(G)/suites.def: $(wildcard tests/unit/test_*.c)
	@mkdir -p $(@D)
	$(Q)for name in $(patsubst tests/unit/test_%.c,%,$^); do echo "SUITE($$name)"; done > $@

$(B)/tests/unit/main.o: $(G)/suites.def

$(B)/unit-runtime: $(RT_UNIT_OBJ) $(VALUE_OBJ)
	@echo "  LD    $@"
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $(RT_UNIT_OBJ) $(VALUE_OBJ) \
	    -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free \
	    $$(pkg-config --cflags --libs check) $(RT_LIBS)

$(G)/suites_runtime.def: $(wildcard tests/unit-runtime/test_*.c)
	@mkdir -p $(@D)
	$(Q)for name in $(patsubst tests/unit-runtime/test_%.c,%,$^); do echo "SUITE($$name)"; done > $@

$(B)/tests/unit-runtime/main.o: $(G)/suites_runtime.def

# The machine of the C runtime, driven by schedules (runtime/PROTOCOL.md section 4).
$(B)/c_driver: $(B)/tests/schedules/c_driver.o $(B)/libpychoral_runtime.a
	@echo "  LD    $@"
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(RT_LIBS)

COMPARE = $(PYTHON) tests/schedules/compare.py --driver $(B)/c_driver --keep $(O)/schedules

.PHONY: check-schedules
check-schedules: $(B)/c_driver $(B)/sim | packages-run  ## N= random schedules from SEED=: both machines answer alike
	@$(COMPARE) --count $(N) --seed $(SEED)
	@$(COMPARE) --count $(N) --seed $(SEED) --frames
	@$(PYTHON) tests/sim/both.py $(B)/sim $(B)/c_driver --count $(N) --seed $(SEED)

# Two C machines in a simulated network, by seed (tests/sim/sim.h).
SIM_OBJ = $(patsubst %.c,$(B)/%.o,$(sort $(wildcard tests/sim/*.c)))

$(B)/sim: $(SIM_OBJ) $(B)/libpychoral_runtime.a
	@echo "  LD    $@"
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(RT_LIBS)

.PHONY: sim mutants-sim
sim: $(B)/sim  ## N= schedules from SEED= of two C machines: no rule of the protocol is broken
	@$(B)/sim --count $(if $(filter file,$(origin N)),100000,$(N)) --seed $(SEED)

mutants-sim: $(B)/sim | packages-check  ## break one rule of the C machine at a time: the simulation must notice
	@$(PYTHON) tests/sim/mutants.py --build $(O)/mutants-sim

# The passes of array functions, for the tests of derivatives.
$(B)/array_tool: $(B)/tests/grad/array_tool.o $(B)/libpychoral.a
	@echo "  LD    $@"
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

# Programs in C are compiled as the runtime is that they are linked with.
C_FLAGS.debug    = -O0 -g
C_FLAGS.release  = -O0
# Optimised, a variable of the module that nobody reads is not there, and what it holds looks lost.
C_FLAGS.sanitize = $(CFLAGS.sanitize) -O0

.PHONY: check-arrays
SUITES += check-arrays
check-arrays: $(B)/array_tool $(B)/pychoralc | packages-check  ## array functions: each stage keeps the value, gradients are the differences
	@/usr/bin/python3 tests/grad/arrays.py $(B)/array_tool
	@/usr/bin/python3 tests/grad/array_refused.py $(B)/array_tool
	@/usr/bin/python3 tests/grad/array_goldens.py $(B)/array_tool
	@/usr/bin/python3 tests/grad/nests.py $(B)/array_tool
	@/usr/bin/python3 tests/grad/terms.py $(B)/array_tool 300 1
	@/usr/bin/python3 tests/grad/stores.py $(B)/array_tool 300 1
	@/usr/bin/python3 tests/grad/samples.py $(B)/pychoralc
	@/usr/bin/python3 tests/grad/network.py $(B)/pychoralc
	@/usr/bin/python3 tests/grad/large.py $(B)/pychoralc
	@/usr/bin/python3 tests/grad/jacobian.py $(B)/array_tool $(B)/pychoralc
	@/usr/bin/python3 tests/grad/array_golden.py $(B)/array_tool
	@/usr/bin/python3 tests/grad/properties.py $(B)/array_tool

-include $(B)/tests/grad/array_tool.d

.PHONY: check-nest
SUITES += check-nest
check-nest: $(B)/pychoralc | packages-check  ## array functions in C: the value of the source, the gradient of numpy
	@/usr/bin/python3 tests/grad/array_c.py $(B)/pychoralc
	@/usr/bin/python3 tests/grad/lanes.py $(B)/pychoralc
	@/usr/bin/python3 tests/grad/array_inputs.py $(B)/pychoralc
	@/usr/bin/python3 tests/grad/special.py $(B)/pychoralc

check-annotated: $(B)/pychoralc $(B)/libpychoral_runtime.a | packages-check  ## annotated programs: samples, tests/check, tests/programs, ...
	@$(PYTHON) tests/run --compiler $(B)/pychoralc --cc="$(CC)" --c-flags="$(C_FLAGS.$(variant))" $(RUN)

# The blocks and symbols of compiler/ir/scopes.c, against CPython's.
$(B)/symtable: $(B)/tests/symtable/dump.o $(B)/libpychoral.a
	@echo "  LD    $@"
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

.PHONY: check-symtable check-symtable-short
SUITES += check-symtable-short
check-symtable: $(B)/symtable | packages-cpython  ## what names are in the whole standard library, against CPython's symtable
	@$(PYTHON) tests/symtable/compare.py $(B)/symtable --all

check-symtable-short: $(B)/symtable | packages-run
	@$(PYTHON) tests/symtable/compare.py $(B)/symtable

# What `pychoralc virtualize` writes, of files of the standard library.
.PHONY: check-virtual-texts check-virtual-texts-all
SUITES += check-virtual-texts
check-virtual-texts: $(B)/pychoralc | packages-run
	@$(PYTHON) tests/virtual/hook_table.py
	@$(PYTHON) tests/virtual/texts.py $(B)/pychoralc

check-virtual-texts-all: $(B)/pychoralc | packages-cpython  ## virtualize the whole standard library: each text compiles, and goes back
	@$(PYTHON) tests/virtual/texts.py $(B)/pychoralc --all

check-desugared: $(B)/pychoralc | packages-check  ## the programs of the roles in core forms do the same, in Python
	@$(PYTHON) tests/desugared --compiler $(B)/pychoralc

check-runner: $(B)/pychoralc $(B)/libpychoral_runtime.a | packages-check  ## the runner's own test: programs that must make it fail
	@$(PYTHON) tests/runner/unittests.py tests/runner
	@$(PYTHON) tests/runner/selftest.py --compiler $(B)/pychoralc

CLI_TESTS = test_cli test_sites test_types test_keygen test_show test_agreed test_amend test_modules test_plain test_cost test_formats test_explain test_manual \
            test_programs test_view test_files test_terminal test_panes test_tracebacks test_documents test_c test_c_text test_grad test_virtualize test_distribute

CLI_SUITES = $(CLI_TESTS:%=check-cli-%) check-cli-gallery
.PHONY: $(CLI_SUITES)
check-cli: $(CLI_SUITES)  ## command line, exit codes, output files, install, README

$(CLI_SUITES): $(B)/pychoralc $(B)/libpychoral_runtime.a | packages-cli
$(CLI_TESTS:%=check-cli-%): check-cli-%:
	@$(PYTHON) tests/cli/$*.py --compiler $(B)/pychoralc

check-cli-gallery:
	@$(PYTHON) tests/cli/gallery.py --check --compiler $(B)/pychoralc

.PHONY: gallery
gallery: $(B)/pychoralc | packages-run  ## write docs/gallery.md, every code with a program, and docs/first-hour.md, mistakes of beginners
	@$(PYTHON) tests/cli/gallery.py --compiler $(B)/pychoralc

RUNTIME_SUITES = $(addprefix check-runtime-,library machine ends faults)
.PHONY: $(RUNTIME_SUITES)
check-runtime: $(RUNTIME_SUITES)  ## the runtime, in C and Python

$(RUNTIME_SUITES): $(B)/pychoralc $(B)/unit-runtime $(B)/faults_endpoint $(B)/c_driver $(B)/sim $(B)/value_server $(B)/interop $(B)/memory $(B)/secure | packages-check

check-runtime-library:
	@PYTHONPATH=runtime/python PYCHORAL_BUILD=$(B) $(PYTHON) tests/runner/unittests.py tests/runtime tests/runtime-c tests/faults tests/history tests/schedules

check-runtime-machine:
	@$(B)/unit-runtime
	@$(COMPARE) --count 3000
	@$(COMPARE) --count 1500 --seed fresh
	@$(COMPARE) --count 1000 --seed fresh --frames
	@$(B)/sim --count 20000
	@$(B)/sim --count 1 --seed 236122423836162
	@$(B)/sim --count 1000000 --seed fresh --seconds 5
	@$(PYTHON) tests/sim/both.py $(B)/sim $(B)/c_driver --count 200

check-runtime-ends:
	@$(PYTHON) tests/runtime/agree.py $(B)/value_server --count 20000
	@$(PYTHON) tests/runtime-c/matrix.py $(B)/interop --short
	@$(PYTHON) tests/runtime-c/observed.py $(B)/interop
	@$(PYTHON) tests/runtime-c/secure.py $(B)/secure

check-runtime-faults:
	@PYCHORAL_CFLAGS="$(C_FLAGS.$(variant))" CC="$(CC)" $(PYTHON) tests/faults/faults.py --short --c $(B)

.PHONY: check-builtins
check-builtins: $(B)/builtins_containers $(B)/builtins_set_order $(B)/builtins_numbers $(B)/builtins_text $(B)/builtins_random $(B)/builtins_clocks $(B)/builtins_process_server $(B)/builtins_process_endpoint $(B)/pychoralc $(B)/libpychoral_runtime.a | packages-run  ## what generated C programs stand on, against CPython
	@$(CC) $(CFLAGS) -std=c17 -Wall -Wextra -Werror -I. -Iruntime/c -fsyntax-only tests/builtins/rows.c
	@$(PYTHON) tests/builtins/containers.py $(B)/builtins_containers
	@$(PYTHON) tests/builtins/set_order.py $(B)/builtins_set_order
	@$(PYTHON) tests/builtins/numbers.py $(B)/builtins_numbers
	@$(PYTHON) tests/builtins/numbers.py $(B)/builtins_numbers --seed fresh
	@$(PYTHON) tests/builtins/text.py $(B)/builtins_text
	@$(PYTHON) tests/builtins/text.py $(B)/builtins_text --seed fresh
	@$(PYTHON) tests/builtins/text.py $(B)/builtins_text --seed 588830914   # bytes as the mapping of %
	@$(PYTHON) tests/builtins/random_draws.py $(B)/builtins_random
	@$(PYTHON) tests/builtins/clocks.py $(B)/builtins_clocks
	@$(PYTHON) tests/builtins/process_modules.py $(B)/builtins_process_server
	$(if $(filter release,$(variant)),@$(PYTHON) tests/bench/bench_c.py --compiler $(B)/pychoralc --programs $(B) --memory)
	@PYTHONPATH=runtime/python $(PYTHON) tests/builtins/process_ends.py $(B)/builtins_process_endpoint

.PHONY: check-durable
check-durable: $(B)/pychoralc $(B)/libpychoral_runtime.a | packages-run  ## generated programs with journals, killed and started again
	@$(PYTHON) tests/durable/durable.py --compiler $(B)/pychoralc --cc="$(CC)" --c-flags="$(C_FLAGS.$(variant))"

.PHONY: check-interop
check-interop: $(B)/interop | packages-check  ## C and Python endpoints in every pairing, way and transport
	@$(PYTHON) tests/runtime-c/matrix.py $(B)/interop

.PHONY: check-faults
$(B)/faults_endpoint: $(B)/tests/faults/endpoint.o $(B)/libpychoral_runtime.a
	@echo "  LD    $@"
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(RT_LIBS)

check-faults: $(B)/faults_endpoint $(B)/pychoralc | packages-check  ## the 40 faults over real sockets, as a table; N= seeds from SEED= for the last
	@PYCHORAL_CFLAGS="$(C_FLAGS.$(variant))" CC="$(CC)" $(PYTHON) tests/faults/faults.py --c $(B) $(if $(filter file,$(origin N)),,--seeds $(N)) --seed $(SEED)

check-cpython-short: $(B)/pychoralc | packages-cpython packages-run
	@$(PYTHON) tests/cpython/compare_stdlib.py --compiler $(B)/pychoralc
	@$(PYTHON) tests/cpython/newforms.py --compiler $(B)/pychoralc
	@$(PYTHON) tests/cpython/mutate.py --compiler $(B)/pychoralc 10000
	@$(PYTHON) tests/cpython/limits.py --compiler $(B)/pychoralc
	@$(PYTHON) tests/cpython/random_trees.py --compiler $(B)/pychoralc 2000
	@$(PYTHON) tests/cpython/lexical.py --compiler $(B)/pychoralc 20000

check-cpython: $(B)/pychoralc | packages-cpython packages-run  ## the same with 200,000 mutated statements
	@$(PYTHON) tests/cpython/compare_stdlib.py --dump --compiler $(B)/pychoralc
	@$(PYTHON) tests/cpython/newforms.py --compiler $(B)/pychoralc
	@$(PYTHON) tests/cpython/mutate.py --compiler $(B)/pychoralc 200000
	@$(PYTHON) tests/cpython/random_trees.py --compiler $(B)/pychoralc 50000
	@$(PYTHON) tests/cpython/near_misses.py --compiler $(B)/pychoralc 100000
	@$(PYTHON) tests/cpython/lexical.py --compiler $(B)/pychoralc 1000000

# Libraries to compare with; without network they are left out. Packages are unpacked, since installed
# they bring R, MPI and another BLAS for all. That of Debian's numpy and PyTorch has plain loops; what
# people install has one that is made for the machine.
PEERS = build/peers
PEER_PACKAGES.stan = r-cran-stanheaders libeigen3-dev libtbb-dev \
    $$(apt-cache depends libboost-dev | sed -n 's/.*Depends: //p')
PEER_PACKAGES.openblas = libopenblas0-pthread

$(PEERS)/stan $(PEERS)/openblas:
	@mkdir -p $@.new && cd $@.new && apt-get download -qq $(PEER_PACKAGES.$(@F)) 2>/dev/null && \
	    for p in *.deb; do dpkg-deb -x $$p . || exit 1; done; \
	    cd $(CURDIR) && { test -d $@.new/usr && mv $@.new $@ || rm -rf $@.new; }

$(PEERS)/jax:
	@/usr/bin/python3 -m venv $@ && $@/bin/pip install -q jax >/dev/null 2>&1 || rm -rf $@

.PHONY: bench-grad
bench-grad: $(B)/pychoralc | packages-clang packages-bench-grad $(PEERS)/stan $(PEERS)/jax $(PEERS)/openblas  ## gradients in C against their own primal, and against ADOL-C, Stan Math, JAX, PyTorch; ROUNDS=
	@$(PYTHON) tests/bench/bench_grad.py --compiler $(B)/pychoralc $(ROUNDS:%=--rounds %)
	@LD_LIBRARY_PATH=$$(echo $(PEERS)/openblas/usr/lib/*/openblas-pthread) OPENBLAS_NUM_THREADS=1 \
	    /usr/bin/python3 tests/bench/bench_arrays.py --compiler $(B)/pychoralc $(ROUNDS:%=--rounds %)
	@/usr/bin/python3 tests/bench/bench_peers.py --compiler $(B)/pychoralc --peers $(PEERS) $(ROUNDS:%=--rounds %)

.PHONY: check-kernel
SUITES += check-kernel
check-kernel: $(B)/pychoralc | packages-check  ## gradients in C answer what those in Python do; their text compiles without a warning
	@$(PYTHON) tests/kernel/check.py $(B)/pychoralc $(RUN)

.PHONY: check-distribute
SUITES += check-distribute
check-distribute: $(B)/pychoralc | packages-check  ## training scripts for many processes: every rule; what comes out, run
	@$(PYTHON) tests/distribute/rules.py --compiler $(B)/pychoralc
	@$(PYTHON) tests/distribute/pairs.py --compiler $(B)/pychoralc
	@$(PYTHON) tests/distribute/properties.py --compiler $(B)/pychoralc

# PyTorch of its own: a few gigabytes, so only when it is asked for.
TORCH = $(O)/venv-torch
$(TORCH)/bin/torchrun:
	@$(PYTHON) -m venv $(TORCH) && $(TORCH)/bin/pip install -q torch numpy tqdm > $(TORCH)/install.log 2>&1 || \
	    { echo "torch could not be installed: $(TORCH)/install.log" >&2; rm -f $@; }

.PHONY: check-torch
check-torch: private SHELL = /bin/sh
check-torch: private .SHELLFLAGS = -c
check-torch: $(B)/pychoralc  ## training scripts of PyTorch, distributed and run on two processes (installs torch under build/)
	@$(MAKE) --no-print-directory $(TORCH)/bin/torchrun
	@if [ -x $(TORCH)/bin/torchrun ]; then \
	    $(PYTHON) tests/distribute/torch_runs.py --compiler $(B)/pychoralc --python $(TORCH)/bin/python; \
	else echo "check-torch: skipped, torch could not be installed"; fi

.PHONY: check-tf
check-tf: $(B)/pychoralc | packages-check  ## distributed scripts under real TensorFlow, Horovod, JAX and PyTorch, installed below build/
	@bad=0; $(PYTHON) tests/distribute/real.py --compiler $(B)/pychoralc $(PARTS:%=--parts %) || bad=1; \
	    $(MAKE) --no-print-directory check-torch || bad=1; exit $$bad

RUN_VIRTUAL = PYTHONPATH=$(CURDIR)/runtime/python PYCHORALC=$(CURDIR)/$(B)/pychoralc XDG_CACHE_HOME=$(CURDIR)/$(O)/cache \
    $(PYTHON) tests/virtual

.PHONY: check-virtual
SUITES += check-virtual
check-virtual: $(B)/pychoralc virtual | packages-check packages-virtual  ## virtualized programs do what they did; every hook can be overloaded
	@$(RUN_VIRTUAL)/traps.py
	@$(RUN_VIRTUAL)/../runner/unittests.py tests/virtual
	@$(RUN_VIRTUAL)/fuzz.py --count 300 --seed 1 --keep $(FUZZ)/failed
	@$(RUN_VIRTUAL)/stdlib.py

.PHONY: check-virtual-all fuzz-virtual
check-virtual-all: $(B)/pychoralc virtual | packages-check packages-virtual packages-demos  ## all of CPython's tests, virtualized; library modules, too; the demonstrations
	@$(RUN_VIRTUAL)/../runner/unittests.py tests/virtual
	@bad=0; $(RUN_VIRTUAL)/stdlib.py --all --jobs $(JOBS) || bad=1; \
	    $(RUN_VIRTUAL)/stdlib.py --library --jobs $(JOBS) || bad=1; exit $$bad

fuzz-virtual: $(B)/pychoralc virtual | packages-run  ## N= random Python programs from SEED=: virtualized, they do what they did
	@$(RUN_VIRTUAL)/fuzz.py --count $(N) --seed $(SEED) --keep $(FUZZ)/failed

bench-virtual: $(B)/pychoralc virtual | packages-run  ## virtualized programs against plain ones, as ratios; speed of conversion
	@$(RUN_VIRTUAL)/bench.py

check-typing: $(B)/pychoralc | packages-check  ## what mypy takes, the checker takes; types of endpoints, and values of these types
	@$(PYTHON) tests/typing/accepts.py --compiler $(B)/pychoralc
	@$(PYTHON) tests/typing/endpoint_types.py --compiler $(B)/pychoralc
	@$(PYTHON) tests/typing/endpoint_values.py --compiler $(B)/pychoralc

lint: | packages-build packages-runtime packages-lint packages-virtual  ## style that a machine keeps
	@$(MAKE) -s $(PARALLEL) $(GENH)
	@$(PYTHON) tests/lint --include . --include $(G) --include $(firstword $(shell $(PYTHON_CONFIG)))

bench: $(B)/pychoralc $(B)/bench_parse | packages-cpython packages-run  ## speed, as ratios against a peer in the same run
	@$(PYTHON) tests/bench/bench.py --compiler $(B)/pychoralc --parser $(B)/bench_parse

bench-codec: $(B)/bench_codec | packages-check  ## values: C against a fixed layout by hand, Python against msgpack; ROUNDS=
	@$(B)/bench_codec $(ROUNDS)
	@$(PYTHON) tests/bench/bench_codec.py

bench-c: $(B)/pychoralc $(B)/bench_bare $(B)/libpychoral_runtime.a | packages-run  ## generated C programs against C by hand, sockets by hand and their twins in Python; ROUNDS= ONLY=
	@$(PYTHON) tests/bench/bench_c.py --compiler $(B)/pychoralc --programs $(B) $(ROUNDS:%=--rounds %) $(if $(ONLY),--only "$(ONLY)")

bench-runtime: $(B)/pychoralc $(B)/bench_bare $(B)/bench_endpoint | packages-run  ## the channel runtime against sockets by hand
	@$(PYTHON) tests/bench/bench_runtime.py --compiler $(B)/pychoralc --programs $(B)

$(B)/tests/bench/runtime/%.o: tests/bench/runtime/%.c | packages-runtime
	@mkdir -p $(@D)
	@echo "  CC    $<"
	$(Q)$(CC) -Iruntime/c -D_POSIX_C_SOURCE=200809L $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

$(B)/bench_bare $(B)/bench_endpoint: $(B)/bench_%: $(B)/tests/bench/runtime/%.o $(B)/libpychoral_runtime.a
	@echo "  LD    $@"
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(RT_LIBS)

$(B)/bench_parse: $(B)/tests/bench/bench_parse.o $(B)/libpychoral.a
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

# ---- fuzzing ----

N       ?= 300
SEED    ?= 1
SECONDS ?= 60
ROUNDS  ?= 25
FUZZ     = $(O)/fuzz

# TYPES=report: what mypy finds is only counted and kept.
TYPES   ?= fail
RUN_FUZZ = $(PYTHON) tests/fuzz/fuzz.py --compiler $(B)/pychoralc --keep $(FUZZ)/failed --types $(TYPES)

RUN_STATE = $(PYTHON) tests/fuzz/state.py --compiler $(B)/pychoralc --keep $(FUZZ)/failed

fuzz-state: $(B)/pychoralc $(B)/fuzz_serve | packages-check  ## N= programs that keep, reach and change module state, from SEED=
	@$(RUN_STATE) --count $(N) --seed $(SEED)

RUN_LOADING = $(PYTHON) tests/fuzz/loading.py --compiler $(B)/pychoralc --keep $(FUZZ)/failed

fuzz-loading: $(B)/pychoralc $(B)/fuzz_serve | packages-check  ## N= programs whose modules change something while they load, from SEED=
	@$(RUN_LOADING) --count $(N) --seed $(SEED)

fuzz: $(B)/pychoralc $(B)/fuzz_serve | packages-check  ## N= random choreographies from SEED=: projected and central runs agree
	@$(RUN_FUZZ) --count $(N) --seed $(SEED)

check-fuzz: $(B)/pychoralc $(B)/fuzz_serve | packages-check  ## 500 programs of a fixed seed and 500 of a fresh one, 30 s each, a quarter of them seen by mypy; mutated ones in C, 5 s each
	@$(RUN_FUZZ) --count 500 --seed 1 --seconds 30 --typed-every 4
	@$(RUN_FUZZ) --count 500 --seed fresh --seconds 30 --typed-every 4
	@$(RUN_FUZZ) --count 300 --seed fresh --seconds 15 --desugared
	@$(RUN_STATE) --count 100 --seed 1 --seconds 15
	@$(RUN_STATE) --count 100 --seed fresh --seconds 15
	@$(RUN_LOADING) --count 100 --seed 1 --seconds 10
	@$(RUN_LOADING) --count 60 --seed fresh --seconds 8
	@$(RUN_MUTATED) --count 500 --seed 1 --seconds 5
	@$(RUN_MUTATED) --count 500 --seed fresh --seconds 5
	@$(PYTHON) tests/fuzz/payloads.py 500 --compiler $(B)/pychoralc

# The C runtime for programs whose roles are threads with output of their own.
FUZZ_C_FLAGS = -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer

# CC=clang compiles in half the time.
FUZZ_C = $(O)/fuzz-c/$(notdir $(CC))
# PROCESSES=: so many of the programs are also built by their Makefile, and run as processes.
PROCESSES ?= 0

fuzz-c: $(B)/pychoralc $(B)/fuzz_serve $(B)/libpychoral_runtime.a | packages-check  ## N= random choreographies from SEED= in C, under the sanitizers, agree with the central run
	@$(MAKE) --no-print-directory -j$(JOBS) variant=sanitize O=$(FUZZ_C) \
	    CFLAGS="-D_GNU_SOURCE=1 -include tests/fuzz/c/streams.h -w" $(FUZZ_C)/sanitize/libpychoral_runtime.a
	@$(PYTHON) tests/fuzz/fuzz_c.py --compiler $(B)/pychoralc --keep $(FUZZ)/failed \
	    --library $(FUZZ_C)/sanitize/libpychoral_runtime.a --cc "$(CC) -O0 $(FUZZ_C_FLAGS)" \
	    --count $(N) --seed $(SEED) --processes $(PROCESSES)

RUN_MUTATED = $(PYTHON) tests/fuzz/fuzz_c_mutated.py --compiler $(B)/pychoralc --keep $(FUZZ)/failed --cc "$(CC)"

fuzz-c-mutated: $(B)/pychoralc $(B)/fuzz_serve | packages-check  ## N= of the tests' programs, changed at random from SEED=: no crash, and C without a warning
	@$(RUN_MUTATED) --count $(N) --seed $(SEED)

mutants: $(B)/pychoralc | packages-check  ## break one rule at a time: the annotated tests must notice
	@$(PYTHON) tests/mutants/mutants.py --build $(O)/mutants --jobs $(JOBS)
	@$(PYTHON) tests/mutants/partials.py --compiler $(B)/pychoralc --build $(O)/mutants-partials

# From small programs, so that most of the time is left for what is made of them.
fuzz-bytes: | packages-clang  ## arbitrary bytes into the compiler for SECONDS=: no crash, leak or hang
	@$(MAKE) --no-print-directory -j$(JOBS) CC=clang variant=fuzz O=$(O)/clang $(O)/clang/fuzz/fuzz_parse
	@rm -rf $(FUZZ)/seeds; mkdir -p $(FUZZ)/corpus $(FUZZ)/seeds
	@find samples/*.pyc tests/*/*.pyc -size -1200c | while read -r seed; do cp $$seed $(FUZZ)/seeds/$$(echo $$seed | tr / _); done
	$(O)/clang/fuzz/fuzz_parse -max_total_time=$(SECONDS) -timeout=30 -rss_limit_mb=2048 -max_len=20000 \
	    -print_final_stats=1 -artifact_prefix=$(FUZZ)/ $(FUZZ)/corpus $(FUZZ)/seeds

fuzz-runtime: | packages-clang  ## arbitrary bytes into the C runtime's decoders, SECONDS= each
	@$(MAKE) --no-print-directory -j$(JOBS) CC=clang variant=fuzz O=$(O)/clang $(RT_FUZZ:%=$(O)/clang/fuzz/%)
	@$(PYTHON) tests/values/seeds.py $(FUZZ)/seeds_fuzz_value
	@$(PYTHON) tests/fuzz/frame_seeds.py $(FUZZ)/seeds_fuzz_header
	@for name in $(RT_FUZZ); do \
	    mkdir -p $(FUZZ)/$$name $(FUZZ)/seeds_$$name; \
	    $(O)/clang/fuzz/$$name -max_total_time=$(SECONDS) -timeout=10 -rss_limit_mb=2048 -max_len=4096 \
	        -print_final_stats=1 -artifact_prefix=$(FUZZ)/ $(FUZZ)/$$name $(FUZZ)/seeds_$$name || exit 1; \
	done

# The compiler for many programs, without a process for each.
$(B)/fuzz_serve: $(B)/tests/fuzz/serve.o $(filter-out $(B)/compiler/main.o,$(PROG_OBJ)) $(B)/libpychoral.a
	@echo "  LD    $@"
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

# The compiler with passes that a test can see.
$(B)/doubling: $(B)/tests/passes/double.o $(PROG_OBJ) $(B)/libpychoral.a
	@echo "  LD    $@"
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -Wl,--wrap=expand_unit,--wrap=grad_unit -o $@ $^ $(LDLIBS)

.PHONY: check-grad
SUITES += check-grad
check-grad: $(B)/pychoralc | packages-run  ## gradients of programs against their derivatives in 80 digits
	@$(PYTHON) tests/grad/check.py --compiler $(B)/pychoralc
	@$(PYTHON) tests/grad/check.py --compiler $(B)/pychoralc --target c
	@$(PYTHON) tests/grad/check.py --compiler $(B)/pychoralc --mode tangent
	@$(PYTHON) tests/grad/check.py --compiler $(B)/pychoralc --mode tangent --target c
	@$(PYTHON) tests/grad/check.py --compiler $(B)/pychoralc --mode forward
	@$(PYTHON) tests/grad/check.py --compiler $(B)/pychoralc --mode reverse-cps
	@$(PYTHON) tests/grad/split.py --compiler $(B)/pychoralc
	@$(PYTHON) tests/grad/split.py --compiler $(B)/pychoralc --target c
	@$(PYTHON) tests/grad/library.py --compiler $(B)/pychoralc

.PHONY: check-grad-fuzz
SUITES += check-grad-fuzz
check-grad-fuzz: $(B)/pychoralc | packages-grad  ## random functions: gradients in all modes and targets against differences
	@$(PYTHON) tests/grad/fuzz.py --compiler $(B)/pychoralc --count 12

.PHONY: fuzz-grad
fuzz-grad: $(B)/pychoralc | packages-grad  ## N= random functions from SEED=: all modes and targets against differences in 160 digits
	@$(PYTHON) tests/grad/fuzz.py --compiler $(B)/pychoralc --count $(N) --seed $(SEED)

.PHONY: check-passes
SUITES += check-passes
check-passes: $(B)/doubling $(B)/libpychoral_runtime.a | packages-check  ## what a pass in front of projection changes is seen by all that runs
	@$(PYTHON) tests/run --compiler $(B)/doubling --cc="$(CC)" --c-flags="$(C_FLAGS.$(variant))" \
	    --c-report $(O)/c-report-passes.txt tests/passes/doubled.pyc

$(B)/fuzz_parse: $(B)/tests/fuzz/fuzz_parse.o $(B)/libpychoral.a
	@echo "  LD    $@"
	$(Q)$(CC) $(ALL_CFLAGS) -fsanitize=fuzzer $(LDFLAGS) -o $@ $^ $(LDLIBS)

-include $(RT_OBJ:.o=.d) $(RT_UNIT_OBJ:.o=.d) $(wildcard $(B)/tests/values/*.d $(B)/fuzz_*.d $(B)/bench_*.d)
-include $(wildcard $(B)/tests/builtins/*.d)
-include $(B)/tests/schedules/c_driver.d $(SIM_OBJ:.o=.d)
-include $(LIB_OBJ:.o=.d) $(PROG_OBJ:.o=.d) $(UNIT_OBJ:.o=.d) $(B)/tests/bench/bench_parse.d $(B)/tests/fuzz/serve.d $(B)/tests/passes/double.d
