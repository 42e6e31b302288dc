// build.c - text that grows until it becomes a str; contracts in build.h.

#include "build.h"

#include <stdlib.h>
#include <string.h>

#include "raise.h"

void pychoral_build_bytes(PychoralBuild *build, const char *text, size_t size)
{
    if (size == 0)
        return;
    if (build->capacity - build->size < size) {
        size_t twice = build->capacity * 2, least = build->size + size;
        build->capacity = twice > least ? twice : least + 32;
        build->data = pychoral_reallocate(build->data, build->capacity);
    }
    memcpy(build->data + build->size, text, size);
    build->size += size;
}

void pychoral_build_text(PychoralBuild *build, const char *text)
{
    pychoral_build_bytes(build, text, strlen(text));
}

bool pychoral_build_str(PychoralBuild *build, PychoralStr *text)
{
    if (text == NULL)
        return false;
    pychoral_build_bytes(build, text->data, text->size);
    pychoral_release(&pychoral_type_str, &text);
    return true;
}

PychoralStr *pychoral_build_end(PychoralBuild *build)
{
    PychoralStr *text = pychoral_str_new(build->size == 0 ? "" : build->data, build->size);
    if (text == NULL)
        pychoral_no_memory();
    pychoral_build_drop(build);
    return text;
}

PychoralStr *pychoral_build_drop(PychoralBuild *build)
{
    free(build->data);
    *build = (PychoralBuild){NULL, 0, 0};
    return NULL;
}
