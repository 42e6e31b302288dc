// Of two keys: NaN comes last.
static inline bool np_is_before(double a, double b)
{
    return a < b || (isnan(b) && !isnan(a));
}

// Sorted neighbours of `width` become one; of equal ones the left comes first.
static void np_merge(const double *x, int64_t columns, int64_t rows, int64_t width,
                     const int64_t *from, int64_t *to)
{
    for (int64_t first = 0; first < rows; first += 2 * width) {
        int64_t middle = int_min(first + width, rows), end = int_min(middle + width, rows);
        int64_t left = first, right = middle;
        for (int64_t i = first; i < end; i++) {
            bool second = left == middle
                          || (right < end && np_is_before(x[from[right] * columns],
                                                          x[from[left] * columns]));
            to[i] = from[second ? right++ : left++];
        }
    }
}

// In each column the places from the least to the largest, as np.argsort(x, 0, "stable") has them.
static void np_argsort(const double *x, int64_t rows, int64_t columns, int64_t *order,
                       int64_t *work)
{
    for (int64_t c = 0; c < columns; c++) {
        int64_t *from = work, *to = work + rows;
        for (int64_t i = 0; i < rows; i++)
            from[i] = i;
        for (int64_t width = 1; width < rows; width *= 2) {
            np_merge(x + c, columns, rows, width, from, to);
            int64_t *sorted = to;
            to = from;
            from = sorted;
        }
        for (int64_t i = 0; i < rows; i++)
            order[i * columns + c] = from[i];
    }
}
