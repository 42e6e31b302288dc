// suggest.c - optimal string alignment distance, bounded to words of ordinary length.

#include "compiler/base/suggest.h"

#include <ctype.h>
#include <string.h>

enum { MAX_WORD = 64, EDIT = 4, CASE_ONLY = 1 };

static int substitution(char a, char b)
{
    if (a == b)
        return 0;
    return tolower((unsigned char)a) == tolower((unsigned char)b) ? CASE_ONLY : EDIT;
}

static int smaller(int a, int b) { return a < b ? a : b; }

static int distance(const char *a, size_t n, const char *b, size_t m)
{
    int d[MAX_WORD + 1][MAX_WORD + 1];
    for (size_t i = 0; i <= n; i++)
        d[i][0] = (int)i * EDIT;
    for (size_t j = 0; j <= m; j++)
        d[0][j] = (int)j * EDIT;
    for (size_t i = 1; i <= n; i++)
        for (size_t j = 1; j <= m; j++) {
            d[i][j] = smaller(smaller(d[i - 1][j], d[i][j - 1]) + EDIT,
                              d[i - 1][j - 1] + substitution(a[i - 1], b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                d[i][j] = smaller(d[i][j], d[i - 2][j - 2] + EDIT);
        }
    return d[n][m];
}

const char *suggest_nearest(const char *word, const char *const *candidates, size_t count)
{
    const char *best = NULL;
    size_t n = strlen(word);
    int limit = EDIT * (int)(n / 3 + 1);        // a third of the letters may be wrong
    if (n > MAX_WORD)
        return NULL;
    for (size_t i = 0; i < count; i++) {
        size_t m = strlen(candidates[i]);
        if (m > MAX_WORD)
            continue;
        int found = distance(word, n, candidates[i], m);
        if (found < limit) {
            best = candidates[i];
            limit = found;
        }
    }
    return best;
}
