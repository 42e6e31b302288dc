static bool text_starts(const char *text, const char *part)
{
    return strncmp(text, part, strlen(part)) == 0;
}

static bool text_ends(const char *text, const char *part)
{
    size_t len = strlen(text), end = strlen(part);
    return len >= end && memcmp(text + len - end, part, end) == 0;
}

// Characters: all bytes but those that go on with one.
static int64_t text_len(const char *text)
{
    int64_t n = 0;
    for (; *text != '\0'; text++)
        n += ((unsigned char)*text & 0xc0) != 0x80;
    return n;
}
