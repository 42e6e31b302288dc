# Makefile - everything: build, demo, check, bench, lint, fuzz, install. Not recursive; safe with -j.
#
# Output is under build/<variant>, generated code under build/gen.

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

CFLAGS.debug    = -O0 -g
CFLAGS.release  = -O2 -g -DNDEBUG
CFLAGS.sanitize = -O1 -g -fsanitize=address,undefined -fno-omit-frame-pointer -fno-sanitize-recover=undefined
WARN = -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla
CPPFLAGS += -I. -I$(G) -D_POSIX_C_SOURCE=200809L
ALL_CFLAGS = -std=c11 $(CFLAGS.$(variant)) $(WARN) $(CFLAGS)
LDLIBS += -lutf8proc

LIB_SRC  = $(filter-out compiler/front/unigen.c compiler/ir/asdlgen.c, \
             $(sort $(wildcard compiler/base/*.c compiler/ir/*.c compiler/front/*.c compiler/pass/*.c \
                               compiler/emit/*.c typecheck/*.c projection/*.c)))
PROG_SRC = compiler/main.c $(sort $(wildcard compiler/command/*.c))
GEN_SRC  = $(G)/ir_gen.c $(G)/parser.c $(G)/lexer.c $(G)/unicode_tables.c
GENH     = $(G)/ir_gen.h $(G)/parser.h
LIB_OBJ  = $(LIB_SRC:%.c=$(B)/%.o) $(GEN_SRC:$(G)/%.c=$(B)/gen/%.o)
PROG_OBJ = $(PROG_SRC:%.c=$(B)/%.o)

.PHONY: all clean
all: $(B)/pychoralc

$(B)/pychoralc: $(PROG_OBJ) $(B)/libpychoral.a
	@echo "  LD    $@"
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(B)/libpychoral.a: $(LIB_OBJ)
	@echo "  AR    $@"
	$(Q)rm -f $@ && $(AR) rc $@ $^

$(B)/%.o: %.c | $(GENH)
	@mkdir -p $(@D)
	@echo "  CC    $<"
	$(Q)$(CC) $(CPPFLAGS) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

$(B)/gen/%.o: $(G)/%.c | $(GENH)
	@mkdir -p $(@D)
	@echo "  CC    $<"
	$(Q)$(CC) $(CPPFLAGS) $(ALL_CFLAGS) -Wno-missing-prototypes -MMD -MP -c -o $@ $<

$(G)/asdlgen: compiler/ir/asdlgen.c
	@mkdir -p $(@D)
	@echo "  HOST  $@"
	$(Q)$(CC) -std=c11 -O1 -g $(WARN) -D_POSIX_C_SOURCE=200809L -o $@ $<

$(G)/ir_gen.h: compiler/ir/ir.asdl $(G)/asdlgen
	@echo "  ASDL  $@"
	$(Q)$(G)/asdlgen -h $< > $@.tmp && mv $@.tmp $@

$(G)/ir_gen.c: compiler/ir/ir.asdl $(G)/asdlgen
	@echo "  ASDL  $@"
	$(Q)$(G)/asdlgen -c $< > $@.tmp && mv $@.tmp $@

$(G)/parser.c $(G)/parser.h &: compiler/front/parser.y
	@mkdir -p $(@D)
	@echo "  BISON $<"
	$(Q)$(BISON) -Wall -Werror -Wno-yacc --header=$(G)/parser.h -o $(G)/parser.c $<

$(G)/lexer.c: compiler/front/lexer.l
	@mkdir -p $(@D)
	@echo "  FLEX  $<"
	$(Q)$(FLEX) -o $@ $<

$(G)/unigen: compiler/front/unigen.c compiler/front/unicode_tables.h
	@mkdir -p $(@D)
	@echo "  HOST  $@"
	$(Q)$(CC) -std=c11 -O1 -g $(WARN) -I. -o $@ $<

$(G)/unicode_tables.c: $(G)/unigen
	@echo "  UCD   $@"
	$(Q)$(G)/unigen $(UNICODE_DATA) > $@.tmp && mv $@.tmp $@

clean:
	rm -rf $(O)

-include $(LIB_OBJ:.o=.d) $(PROG_OBJ:.o=.d)
