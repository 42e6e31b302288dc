// binaryio.c - files of bytes; contracts in binaryio.h.

#include "binaryio.h"

#include <errno.h>
#include <string.h>

#include "build.h"
#include "generated.h"

// ---- the classes ----

static const PychoralField FIELDS[] = {
    {.type = &pychoral_type_str, .offset = offsetof(PychoralBinaryIO, name), .name = "name"},
    {.type = &pychoral_type_str, .offset = offsetof(PychoralBinaryIO, mode), .name = "mode"},
};

static void close_own(void *object)
{
    PychoralBinaryIO *file = object;
    if (file->own != NULL)
        fclose(file->own);
}

static const PychoralField SELF[] = {{.type = &pychoral_type_BinaryIO}};
static const PychoralType LINES = {.kind = PYCHORAL_ITERATOR, .size = sizeof(PychoralIterator *),
                                   .element = &pychoral_type_bytes, .name = "iterator"};
#define METHOD(name_, result_)                                                                    \
    {.kind = PYCHORAL_FUNCTION, .size = sizeof(PychoralFunction *), .count = 1, .fields = SELF,   \
     .element = &(result_), .name = (name_)}
static const PychoralType ITER = METHOD("__iter__", LINES),
                          REPR = METHOD("__repr__", pychoral_type_str);

static const PychoralType HELD = {.kind = PYCHORAL_TUPLE, .size = sizeof(PychoralBinaryIO *),
                                  .count = 1, .fields = SELF, .name = "BinaryIO"};

static bool next_line(PychoralIterator *self, void *item)
{
    PychoralBinaryIO *file;
    memcpy(&file, self->cells, sizeof file);
    PychoralBytes *line = pychoral_binaryio_readline(file, -1);
    if (line == NULL || line->size == 0) {
        pychoral_release(&pychoral_type_bytes, &line);
        return false;
    }
    memcpy(item, &line, sizeof line);
    return true;
}

static void call_iter(void *const *arguments, void *result)
{
    PychoralBinaryIO *file = *(PychoralBinaryIO **)arguments[0];
    PychoralIterator *lines = NULL;
    if (pychoral_file_stream(file, "I/O operation on closed file.") != NULL) {
        lines = pychoral_iterator_new(&LINES, &HELD, next_line);
        file = PYCHORAL_KEEP(file);
        memcpy(lines->cells, &file, sizeof file);
    }
    memcpy(result, &lines, sizeof lines);
}

static void call_repr(void *const *arguments, void *result)
{
    const PychoralBinaryIO *file = *(PychoralBinaryIO **)arguments[0];
    PychoralBuild text = {NULL, 0, 0};
    pychoral_build_text(&text, "<_io.");
    pychoral_build_text(&text, file->object.type->name);
    pychoral_build_text(&text, " name=");
    (void)pychoral_build_str(&text, pychoral_repr((PychoralRef){&pychoral_type_str, &file->name}));
    pychoral_build_text(&text, ">");
    *(PychoralStr **)result = pychoral_build_end(&text);
}

static const PychoralMethod METHODS[] = {{"__iter__", &ITER, call_iter},
                                         {"__repr__", &REPR, call_repr}};

#define FILE_OF_BYTES(name_, base_)                                                               \
    {.kind = PYCHORAL_DATACLASS, .size = sizeof(PychoralBinaryIO *),                              \
     .body = sizeof(PychoralBinaryIO), .flags = PYCHORAL_PLAIN, .count = 2, .fields = FIELDS,     \
     .name = (name_), .module = "_io", .close = close_own, .method_count = 2,                     \
     .methods = METHODS, .base = (base_)}
const PychoralType pychoral_type_BinaryIO = FILE_OF_BYTES("_BufferedIOBase", NULL);
static const PychoralType READER = FILE_OF_BYTES("BufferedReader", &pychoral_type_BinaryIO),
                          WRITER = FILE_OF_BYTES("BufferedWriter", &pychoral_type_BinaryIO),
                          BOTH = FILE_OF_BYTES("BufferedRandom", &pychoral_type_BinaryIO);

// ---- opening ----

static bool has(const PychoralStr *mode, char letter) { return strchr(mode->data, letter) != NULL; }

// What a mode of Python's, its letters in any order, is for fopen; NULL if it is none.
static const char *mode_of_c(const PychoralStr *mode)
{
    static const char *const MODES[][2] = {{"re", "r+e"}, {"we", "w+e"}, {"ae", "a+e"},
                                           {"wxe", "w+xe"}};
    static const char KINDS[] = "rwax";
    const char *found = NULL;
    size_t kinds = 0;
    for (size_t i = 0; i < 4; i++)
        if (has(mode, KINDS[i])) {
            found = MODES[i][has(mode, '+')];
            kinds++;
        }
    size_t letters = kinds + has(mode, '+') + has(mode, 'b');
    return kinds == 1 && has(mode, 'b') && letters == mode->size ? found : NULL;
}

// As Python says it, which opens a file below.
static const char *mode_shown(const PychoralStr *mode)
{
    bool both = has(mode, '+');
    return has(mode, 'x')   ? both ? "xb+" : "xb"
           : has(mode, 'a') ? both ? "ab+" : "ab"
           : both           ? "rb+"
           : has(mode, 'r') ? "rb"
                            : "wb";
}

PychoralBinaryIO *pychoral_open_binary(const PychoralStr *file, const PychoralStr *mode,
                                       int64_t buffering)
{
    const char *how = mode_of_c(mode);
    if (how == NULL) {
        pychoral_throw(&pychoral_type_ValueError, "invalid mode: '%s'", mode->data);
        return NULL;
    }
    const char *shown = mode_shown(mode);
    PYCHORAL_OWNED(str) PychoralStr *said = pychoral_str_new(shown, strlen(shown));
    const PychoralType *type = has(mode, '+') ? &BOTH : has(mode, 'r') ? &READER : &WRITER;
    PychoralBinaryIO *made = pychoral_file_open(type, file, said, how);
    if (made != NULL && buffering == 0)
        setvbuf(made->own, NULL, _IONBF, 0);
    return made;
}

// ---- what it can do ----

// NULL if it was raised why not.
static FILE *to_read(PychoralBinaryIO *file, const char *closed)
{
    FILE *stream = file->reads ? pychoral_file_stream(file, closed) : NULL;
    if (!file->reads)
        pychoral_throw(&pychoral_type_UnsupportedOperation, "read");
    else if (stream != NULL)
        pychoral_file_reads(file, stream);
    return stream;
}

static FILE *to_write(PychoralBinaryIO *file)
{
    FILE *stream = file->writes ? pychoral_file_stream(file, "write to closed file") : NULL;
    if (!file->writes)
        pychoral_throw(&pychoral_type_UnsupportedOperation, "write");
    else if (stream != NULL)
        pychoral_file_writes(file, stream);
    return stream;
}

// ---- reading ----

static PychoralBytes *ended(PychoralBuild *build, FILE *stream)
{
    PychoralBytes *bytes = NULL;
    if (ferror(stream))
        pychoral_throw_errno(errno, NULL);
    else if ((bytes = pychoral_bytes_new(build->size > 0 ? build->data : "", build->size)) == NULL)
        pychoral_no_memory();
    pychoral_build_drop(build);
    return bytes;
}

PychoralBytes *pychoral_binaryio_read(PychoralBinaryIO *file, int64_t size)
{
    PychoralBuild build = {NULL, 0, 0};
    char part[4096];
    if (file->reads && size < -1) {
        pychoral_throw(&pychoral_type_ValueError, "read length must be non-negative or -1");
        return NULL;
    }
    FILE *stream = to_read(file, "read of closed file");
    if (stream == NULL)
        return NULL;
    clearerr(stream);
    for (int64_t left = size < 0 ? INT64_MAX : size; left > 0;) {
        size_t wanted = left < (int64_t)sizeof part ? (size_t)left : sizeof part;
        size_t count = fread(part, 1, wanted, stream);
        pychoral_build_bytes(&build, part, count);
        left -= (int64_t)count;
        if (count < wanted)
            break;
    }
    return ended(&build, stream);
}

PychoralBytes *pychoral_binaryio_readline(PychoralBinaryIO *file, int64_t limit)
{
    PychoralBuild build = {NULL, 0, 0};
    FILE *stream = to_read(file, "readline of closed file");
    if (stream == NULL)
        return NULL;
    clearerr(stream);
    flockfile(stream);
    for (int64_t left = limit < 0 ? INT64_MAX : limit; left > 0; left--) {
        int byte = getc_unlocked(stream);
        if (byte == EOF)
            break;
        pychoral_build_byte(&build, (char)byte);
        if (byte == '\n')
            break;
    }
    funlockfile(stream);
    return ended(&build, stream);
}

PychoralList *pychoral_binaryio_readlines(const PychoralType *type, PychoralBinaryIO *file)
{
    if (pychoral_file_stream(file, "I/O operation on closed file.") == NULL)
        return NULL;
    PychoralList *lines = pychoral_list_new(type, 0);
    if (lines == NULL)
        pychoral_no_memory();
    for (;;) {
        PychoralBytes *line = pychoral_binaryio_readline(file, -1);
        if (line == NULL)
            pychoral_release(type, &lines), lines = NULL;
        if (line == NULL || line->size == 0) {
            pychoral_release(&pychoral_type_bytes, &line);
            return lines;
        }
        if (!pychoral_list_append(lines, &line))
            pychoral_no_memory();
    }
}

// ---- writing ----

int64_t pychoral_binaryio_write(PychoralBinaryIO *file, const PychoralBytes *bytes)
{
    FILE *stream = to_write(file);
    if (stream == NULL)
        return 0;
    if (fwrite(bytes->data, 1, bytes->size, stream) != bytes->size)
        pychoral_throw_errno(errno, NULL);
    return (int64_t)bytes->size;
}

void pychoral_binaryio_writelines(PychoralBinaryIO *file, PychoralIterator *lines)
{
    PychoralBytes *line;
    if (pychoral_file_stream(file, "I/O operation on closed file.") == NULL)
        return;
    while (lines->next(lines, &line)) {
        (void)pychoral_binaryio_write(file, line);
        pychoral_release(&pychoral_type_bytes, &line);
        if (pychoral_raised != NULL)
            return;
    }
}

void pychoral_binaryio_flush(PychoralBinaryIO *file)
{
    FILE *stream = pychoral_file_stream(file, file->writes ? "flush of closed file"
                                                           : "I/O operation on closed file.");
    if (stream != NULL && file->last == PYCHORAL_HAS_WRITTEN && fflush(stream) != 0)
        pychoral_throw_errno(errno, NULL);
}

// ---- positions ----

int64_t pychoral_binaryio_seek(PychoralBinaryIO *file, int64_t offset, int64_t whence)
{
    if (pychoral_file_stream(file, "seek of closed file") == NULL)
        return 0;
    if (whence >= SEEK_SET && whence <= SEEK_END)
        return pychoral_file_seek(file, offset, (int)whence);
    pychoral_throw(&pychoral_type_ValueError, "whence value %lld unsupported", (long long)whence);
    return 0;
}

static bool is_open(const PychoralBinaryIO *file)
{
    return pychoral_file_stream(file, "I/O operation on closed file") != NULL;
}

int64_t pychoral_binaryio_tell(PychoralBinaryIO *file)
{
    return is_open(file) ? pychoral_file_tell(file) : 0;
}

bool pychoral_binaryio_seekable(PychoralBinaryIO *file)
{
    return is_open(file) && pychoral_file_seekable(file);
}

int64_t pychoral_binaryio_truncate(PychoralBinaryIO *file, int64_t size)
{
    if (pychoral_file_stream(file, "truncate of closed file") == NULL)
        return 0;
    if (!file->writes) {
        pychoral_throw(&pychoral_type_UnsupportedOperation, "truncate");
        return 0;
    }
    return pychoral_file_truncate(file, size == INT64_MIN ? pychoral_file_tell(file) : size);
}
