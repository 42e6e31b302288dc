static bool text_starts(const char *text, const char *part)
{
    return strncmp(text, part, strlen(part)) == 0;
}

static bool text_ends(const char *text, const char *part)
{
    size_t len = strlen(text), end = strlen(part);
    return len >= end && memcmp(text + len - end, part, end) == 0;
}
