// textio.c - text files; contracts in textio.h.

#include "textio.h"

#include <errno.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "codec_names.h"
#include "bytes.h"
#include "build.h"
#include "generated.h"
#include "process.h"
#include "stderr.h"
#include "str.h"

static const PychoralField FIELDS[] = {
    {.type = &pychoral_type_str, .offset = offsetof(PychoralTextIO, name), .name = "name"},
    {.type = &pychoral_type_str, .offset = offsetof(PychoralTextIO, mode), .name = "mode"},
    {.type = &pychoral_type_str, .offset = offsetof(PychoralTextIO, encoding), .name = "encoding"},
};
static void close_own(void *object)
{
    PychoralTextIO *file = object;
    if (file->own != NULL)
        fclose(file->own);
}

// A file is what it gives lines of itself: `for line in file`.
static const PychoralField ITER_FIELDS[] = {{.type = &pychoral_type_TextIO}};
static const PychoralType LINES = {.kind = PYCHORAL_ITERATOR, .size = sizeof(PychoralIterator *),
                                   .element = &pychoral_type_str, .name = "iterator"};
static const PychoralType ITER = {.kind = PYCHORAL_FUNCTION, .size = sizeof(PychoralFunction *),
                                  .count = 1, .fields = ITER_FIELDS, .element = &LINES,
                                  .name = "__iter__"};

static void call_iter(void *const *arguments, void *result)
{
    PychoralIterator *lines = pychoral_textio_iter(&LINES, *(PychoralTextIO **)arguments[0]);
    memcpy(result, &lines, sizeof lines);
}

static const PychoralType REPR = {.kind = PYCHORAL_FUNCTION, .size = sizeof(PychoralFunction *),
                                  .count = 1, .fields = ITER_FIELDS,
                                  .element = &pychoral_type_str, .name = "__repr__"};

static void call_repr(void *const *arguments, void *result)
{
    const PychoralTextIO *file = *(PychoralTextIO **)arguments[0];
    const char *const names[] = {"<_io.TextIOWrapper name=", " mode=", " encoding="};
    PYCHORAL_OWNED(str) PychoralStr *encoding = pychoral_textio_encoding(file);
    const PychoralStr *parts[] = {file->name, file->mode, encoding};
    PychoralBuild text = {NULL, 0, 0};
    for (size_t i = 0; i < 3; i++) {
        pychoral_build_text(&text, names[i]);
        (void)pychoral_build_str(&text, pychoral_repr((PychoralRef){&pychoral_type_str,
                                                                    &parts[i]}));
    }
    pychoral_build_text(&text, ">");
    *(PychoralStr **)result = pychoral_build_end(&text);
}

static const PychoralMethod METHODS[] = {{"__iter__", &ITER, call_iter},
                                         {"__repr__", &REPR, call_repr}};

const PychoralType pychoral_type_TextIO = {
    .kind = PYCHORAL_DATACLASS, .size = sizeof(PychoralTextIO *), .body = sizeof(PychoralTextIO),
    .flags = PYCHORAL_PLAIN, .count = 3, .fields = FIELDS, .name = "TextIOWrapper",
    .module = "_io", .close = close_own,
    .method_count = 2, .methods = METHODS};

static const PychoralField EXCEPTION_FIELDS[] = {PYCHORAL_EXCEPTION_FIELDS};
const PychoralType pychoral_type_UnsupportedOperation = {
    .kind = PYCHORAL_DATACLASS, .size = sizeof(PychoralException *),
    .body = sizeof(PychoralException), .flags = PYCHORAL_PLAIN,
    .count = PYCHORAL_EXCEPTION_FIELD_COUNT, .fields = EXCEPTION_FIELDS,
    .name = "UnsupportedOperation", .module = "io", .base = &pychoral_type_OSError};

static PychoralStr stdin_name = PYCHORAL_CONSTANT("<stdin>", PYCHORAL_ASCII),
                   stdout_name = PYCHORAL_CONSTANT("<stdout>", PYCHORAL_ASCII),
                   stderr_name = PYCHORAL_CONSTANT("<stderr>", PYCHORAL_ASCII),
                   mode_w = PYCHORAL_CONSTANT("w", PYCHORAL_ASCII),
                   utf_8 = PYCHORAL_CONSTANT("utf-8", PYCHORAL_ASCII),
                   unsaid = PYCHORAL_CONSTANT("UTF-8", PYCHORAL_ASCII);

PychoralStr pychoral_mode_r = PYCHORAL_CONSTANT("r", PYCHORAL_ASCII);

#define STANDARD(NAME, MODE, WHICH, READS)                                                        \
    {.object = {.head = {.refs = PYCHORAL_IMMORTAL}, .type = &pychoral_type_TextIO},              \
     .name = &(NAME), .mode = &(MODE), .encoding = &utf_8, .standard = (WHICH),                   \
     .reads = (READS), .writes = !(READS), .keeps_newlines = true}
PychoralTextIO pychoral_sys_stdin = STANDARD(stdin_name, pychoral_mode_r, PYCHORAL_STDIN, true),
               pychoral_sys_stdout = STANDARD(stdout_name, mode_w, PYCHORAL_STDOUT, false),
               pychoral_sys_stderr = STANDARD(stderr_name, mode_w, PYCHORAL_STDERR, false);

// ---- errors ----

const PychoralType *pychoral_kind_of_errno(int64_t number)
{
    switch (number) {
    case EAGAIN: case EALREADY: case EINPROGRESS: return &pychoral_type_BlockingIOError;
    case ECHILD: return &pychoral_type_ChildProcessError;
    case EPIPE: case ESHUTDOWN: return &pychoral_type_BrokenPipeError;
    case ECONNABORTED: return &pychoral_type_ConnectionAbortedError;
    case ECONNREFUSED: return &pychoral_type_ConnectionRefusedError;
    case ECONNRESET: return &pychoral_type_ConnectionResetError;
    case EEXIST: return &pychoral_type_FileExistsError;
    case ENOENT: return &pychoral_type_FileNotFoundError;
    case EISDIR: return &pychoral_type_IsADirectoryError;
    case ENOTDIR: return &pychoral_type_NotADirectoryError;
    case EINTR: return &pychoral_type_InterruptedError;
    case EACCES: case EPERM: return &pychoral_type_PermissionError;
    case ESRCH: return &pychoral_type_ProcessLookupError;
    case ETIMEDOUT: return &pychoral_type_TimeoutError;
    default: return &pychoral_type_OSError;
    }
}

void pychoral_throw_errno(int number, const PychoralStr *name)
{
    char text[200];
    if (strerror_r(number, text, sizeof text) != 0)
        snprintf(text, sizeof text, "Unknown error %d", number);
    PYCHORAL_OWNED(str) PychoralStr *reason = pychoral_str_new(text, strlen(text));
    PychoralAny args[3] = {
        {.type = &pychoral_type_int, .number = pychoral_int(number)},
        {.type = &pychoral_type_str, .pointer = reason},
        {.type = &pychoral_type_str, .pointer = (void *)(uintptr_t)name},
    };
    pychoral_throw_with(pychoral_kind_of_errno(number), name != NULL ? 3 : 2, args);
}

// ---- streams ----

static FILE *stream_of(const PychoralTextIO *file)
{
    switch (file->standard) {
    case PYCHORAL_STDIN: return stdin;
    case PYCHORAL_STDOUT: return stdout;
    case PYCHORAL_STDERR: return stderr;
    default: return file->own;
    }
}

FILE *pychoral_file_stream(const PychoralTextIO *file, const char *text)
{
    FILE *stream = stream_of(file);
    if (stream == NULL)
        pychoral_throw(&pychoral_type_ValueError, "%s", text);
    return stream;
}

// NULL if it was raised why not.
static FILE *opened(const PychoralTextIO *file)
{
    return pychoral_file_stream(file, "I/O operation on closed file.");
}

// The same where Python asks the file below.
static FILE *opened_below(const PychoralTextIO *file)
{
    return pychoral_file_stream(file, "I/O operation on closed file");
}

static FILE *to_read(PychoralTextIO *file)
{
    FILE *stream = opened(file);
    if (stream != NULL && file->reads) {
        pychoral_file_reads(file, stream);
        return stream;
    }
    if (stream != NULL)
        pychoral_throw(&pychoral_type_UnsupportedOperation, "not readable");
    return NULL;
}

static FILE *to_write(PychoralTextIO *file)
{
    FILE *stream = opened(file);
    if (stream != NULL && file->writes) {
        pychoral_file_writes(file, stream);
        return stream;
    }
    if (stream != NULL)
        pychoral_throw(&pychoral_type_UnsupportedOperation, "not writable");
    return NULL;
}

// ---- positions ----

enum { CHUNK = 8192 };

void pychoral_file_reads(PychoralTextIO *file, FILE *stream)
{
    if (file->last == PYCHORAL_HAS_READ || file->standard != PYCHORAL_NO_STANDARD)
        return;
    if (file->last == PYCHORAL_HAS_WRITTEN)
        (void)fseeko(stream, 0, SEEK_CUR);
    file->read_from = file->writes ? ftello(stream) : 0;
    file->last = PYCHORAL_HAS_READ;
}

// Python has read text ahead, in pieces of this size, and writes behind the last of them.
static int64_t behind_chunks(const PychoralTextIO *file, FILE *stream)
{
    struct stat status;
    int64_t at = ftello(stream), ahead = (at - file->read_from + CHUNK - 1) / CHUNK * CHUNK;
    if (fstat(fileno(stream), &status) != 0 || at < 0)
        return at;
    int64_t end = file->read_from + ahead;
    return end < status.st_size ? end : at < status.st_size ? status.st_size : at;
}

void pychoral_file_writes(PychoralTextIO *file, FILE *stream)
{
    if (file->last == PYCHORAL_HAS_WRITTEN || file->standard != PYCHORAL_NO_STANDARD)
        return;
    bool text = file->object.type == &pychoral_type_TextIO;
    if (file->last == PYCHORAL_HAS_READ)
        (void)fseeko(stream, text ? behind_chunks(file, stream) : 0, text ? SEEK_SET : SEEK_CUR);
    file->last = PYCHORAL_HAS_WRITTEN;
}

int64_t pychoral_file_tell(const PychoralTextIO *file)
{
    FILE *stream = stream_of(file);
    bool waits = file->appends && __fpending(stream) > 0;       // C knows that it comes last
    int64_t at = waits ? lseek(fileno(stream), 0, SEEK_CUR) : ftello(stream);
    if (at < 0)
        pychoral_throw_errno(errno, NULL);
    return at < 0 ? 0 : waits ? at + (int64_t)__fpending(stream) : at;
}

int64_t pychoral_file_seek(PychoralTextIO *file, int64_t offset, int whence)
{
    FILE *stream = stream_of(file);
    file->last = PYCHORAL_NOTHING_YET;
    if (fseeko(stream, offset, whence) == 0)
        return pychoral_file_tell(file);
    pychoral_throw_errno(errno, NULL);
    return 0;
}

int64_t pychoral_file_truncate(PychoralTextIO *file, int64_t size)
{
    FILE *stream = stream_of(file);
    pychoral_file_writes(file, stream);
    if (fflush(stream) == 0 && ftruncate(fileno(stream), size) == 0)
        return size;
    pychoral_throw_errno(errno, NULL);
    return 0;
}

bool pychoral_file_seekable(const PychoralTextIO *file)
{
    return lseek(fileno(stream_of(file)), 0, SEEK_CUR) >= 0;
}

// ---- writing ----

static bool is_surrogate(const char *text, size_t left)
{
    return left >= 3 && (unsigned char)text[0] == 0xed && (unsigned char)text[1] >= 0xa0;
}

static size_t characters(const char *text, size_t size)
{
    size_t count = 0;
    for (size_t i = 0; i < size; i++)
        count += ((unsigned char)text[i] & 0xc0) != 0x80;
    return count;
}

// Surrogates cannot be written; false if there is one.
static bool check_text(const char *text, size_t size)
{
    const char *at = text;
    while ((at = memchr(at, 0xed, size - (size_t)(at - text))) != NULL &&
           !is_surrogate(at, size - (size_t)(at - text)))
        at++;
    if (at == NULL)
        return true;
    PYCHORAL_OWNED(str) PychoralStr *str = pychoral_str_new(text, size);
    PYCHORAL_OWNED(str) PychoralBytes *bytes = pychoral_str_encode(str, NULL, NULL);
    return bytes != NULL;
}

bool pychoral_textio_put(PychoralTextIO *file, const char *text, size_t size)
{
    FILE *stream = to_write(file);
    if (stream == NULL)
        return false;
    if (file->standard == PYCHORAL_STDERR) {
        pychoral_stderr_write(text, size);
        return true;
    }
    if (!check_text(text, size))
        return false;
    if (fwrite(text, 1, size, stream) == size)
        return true;
    pychoral_throw_errno(errno, NULL);
    return false;
}

int64_t pychoral_textio_write(PychoralTextIO *file, const PychoralStr *text)
{
    if (!pychoral_textio_put(file, text->data, text->size))
        return 0;
    return (int64_t)(text->head.flags & PYCHORAL_ASCII ? text->size
                                                       : characters(text->data, text->size));
}

void pychoral_textio_writelines(PychoralTextIO *file, PychoralIterator *lines)
{
    PychoralStr *line;
    while (lines->next(lines, &line)) {
        bool good = pychoral_textio_put(file, line->data, line->size);
        pychoral_release(&pychoral_type_str, &line);
        if (!good)
            return;
    }
}

void pychoral_textio_flush(PychoralTextIO *file)
{
    FILE *stream = opened(file);
    if (stream != NULL && file->writes && fflush(stream) != 0 &&
        file->standard != PYCHORAL_STDERR)
        pychoral_throw_errno(errno, NULL);
}

// ---- reading ----

// The next byte, with each end of a line as one newline.
static int next_byte(FILE *stream, bool keeps)
{
    int byte = getc_unlocked(stream);
    if (byte != '\r' || keeps)
        return byte;
    int after = getc_unlocked(stream);
    if (after != '\n' && after != EOF)
        ungetc(after, stream);
    return '\n';
}

static bool starts_character(int byte) { return (byte & 0xc0) != 0x80; }

// Reads characters: at most `limit`, if that is not negative, and no further than a line.
static bool read_some(PychoralTextIO *file, PychoralBuild *build, int64_t limit, bool line)
{
    FILE *stream = to_read(file);
    if (stream == NULL)
        return false;
    flockfile(stream);
    clearerr(stream);
    int byte = 0;
    for (int64_t count = 0; (byte = next_byte(stream, file->keeps_newlines)) != EOF;) {
        if (starts_character(byte) && limit >= 0 && count++ >= limit) {
            ungetc(byte, stream);
            break;
        }
        pychoral_build_byte(build, (char)byte);
        if (line && byte == '\n')
            break;
    }
    int fault = byte == EOF && ferror(stream) ? errno : 0;
    funlockfile(stream);
    if (fault != 0)
        pychoral_throw_errno(fault, NULL);
    return fault == 0;
}

// What was read, as a str.
static PychoralStr *decoded(PychoralBuild *build)
{
    PychoralStr *text = pychoral_str_new(build->data, build->size);
    if (text == NULL || (text->head.flags & PYCHORAL_SURROGATES)) {
        PYCHORAL_OWNED(str) PychoralBytes *bytes = pychoral_bytes_new(build->data, build->size);
        pychoral_release(&pychoral_type_str, &text);
        text = pychoral_bytes_decode(bytes, NULL, NULL);    // which raises
    }
    pychoral_build_drop(build);
    return text;
}

static PychoralStr *read_text(PychoralTextIO *file, int64_t limit, bool line)
{
    PychoralBuild build = {NULL, 0, 0};
    if (read_some(file, &build, limit, line))
        return decoded(&build);
    pychoral_build_drop(&build);
    return NULL;
}

// Durable roles read from standard input what they read before.
static PychoralStr *read_recorded(PychoralTextIO *file, int64_t limit, bool line)
{
    const char *name = line ? "stdin.readline" : "stdin.read";
    PychoralStr *text;
    if (file->standard != PYCHORAL_STDIN)
        return read_text(file, limit, line);
    if (pychoral_effect_replayed(name, &pychoral_type_str, &text))
        return text;
    text = pychoral_raised != NULL ? NULL : read_text(file, limit, line);
    if (text != NULL)
        pychoral_effect_record(name, &pychoral_type_str, &text);
    if (text != NULL && pychoral_raised != NULL)
        pychoral_release(&pychoral_type_str, &text), text = NULL;
    return text;
}

PychoralStr *pychoral_textio_readline(PychoralTextIO *file, int64_t limit)
{
    return read_recorded(file, limit, true);
}

PychoralStr *pychoral_textio_unrecorded_line(PychoralTextIO *file)
{
    return read_text(file, -1, true);
}

PychoralStr *pychoral_textio_read(PychoralTextIO *file, int64_t size)
{
    return read_recorded(file, size, false);
}

PychoralList *pychoral_textio_readlines(const PychoralType *type, PychoralTextIO *file)
{
    PychoralList *lines = pychoral_list_new(type, 0);
    if (lines == NULL)
        pychoral_no_memory();
    for (;;) {
        PychoralStr *line = pychoral_textio_readline(file, -1);
        if (line == NULL)
            pychoral_release(type, &lines), lines = NULL;
        if (line == NULL || line->size == 0) {
            pychoral_release(&pychoral_type_str, &line);
            return lines;
        }
        if (!pychoral_list_append(lines, &line))
            pychoral_no_memory();
    }
}

// ---- positions in text ----

static bool sought(PychoralTextIO *file)
{
    if (opened(file) == NULL)
        return false;
    if (!pychoral_file_seekable(file))
        pychoral_throw(&pychoral_type_UnsupportedOperation, "underlying stream is not seekable");
    return pychoral_raised == NULL;
}

int64_t pychoral_textio_seek(PychoralTextIO *file, int64_t offset, int64_t whence)
{
    if (!sought(file))
        return 0;
    if (whence == SEEK_SET && offset < 0)
        pychoral_throw(&pychoral_type_ValueError, "negative seek position %lld",
                       (long long)offset);
    else if (whence < SEEK_SET || whence > SEEK_END)
        pychoral_throw(&pychoral_type_ValueError, "invalid whence (%lld, should be 0, 1 or 2)",
                       (long long)whence);
    else if (whence != SEEK_SET && offset != 0)
        pychoral_throw(&pychoral_type_UnsupportedOperation, "can't do nonzero %s-relative seeks",
                       whence == SEEK_CUR ? "cur" : "end");
    else
        return pychoral_file_seek(file, offset, (int)whence);
    return 0;
}

int64_t pychoral_textio_tell(PychoralTextIO *file)
{
    if (!sought(file))
        return 0;
    if (!file->iterated)
        return pychoral_file_tell(file);
    pychoral_throw(&pychoral_type_OSError, "telling position disabled by next() call");
    return 0;
}

bool pychoral_textio_seekable(PychoralTextIO *file)
{
    return opened_below(file) != NULL && pychoral_file_seekable(file);
}

int64_t pychoral_textio_truncate(PychoralTextIO *file, int64_t size)
{
    FILE *stream = opened(file);
    if (stream == NULL)
        return 0;
    if (!file->writes) {
        pychoral_throw(&pychoral_type_UnsupportedOperation, "truncate");
        return 0;
    }
    pychoral_file_writes(file, stream);
    return pychoral_file_truncate(file, size == INT64_MIN ? pychoral_file_tell(file) : size);
}

// ---- as an iterator ----

static const PychoralField HELD_FIELDS[] = {{.type = &pychoral_type_TextIO, .offset = 0}};
static const PychoralType HELD = {.kind = PYCHORAL_TUPLE, .size = sizeof(PychoralTextIO *),
                                  .count = 1, .fields = HELD_FIELDS, .name = "TextIO"};

static bool next_line(PychoralIterator *self, void *item)
{
    PychoralTextIO *file;
    memcpy(&file, self->cells, sizeof file);
    file->iterated = true;
    PychoralStr *line = pychoral_textio_readline(file, -1);
    if (line == NULL || line->size == 0) {
        file->iterated = line == NULL;
        pychoral_release(&pychoral_type_str, &line);
        return false;
    }
    memcpy(item, &line, sizeof line);
    return true;
}

PychoralIterator *pychoral_textio_iter(const PychoralType *type, PychoralTextIO *file)
{
    PychoralIterator *iterator = pychoral_iterator_new(type, &HELD, next_line);
    file = PYCHORAL_KEEP(file);
    memcpy(iterator->cells, &file, sizeof file);
    return iterator;
}

// ---- opening and closing ----

// What a mode of Python's is for fopen; false if it is none.
static bool read_mode(const PychoralStr *mode, char *to)
{
    size_t kinds = strspn(mode->data, "rwax"), rest = strspn(mode->data + kinds, "+t");
    if (kinds != 1 || kinds + rest != mode->size || mode->size > 3)
        return false;
    *to++ = *mode->data == 'x' ? 'w' : *mode->data;
    if (strchr(mode->data, '+') != NULL)
        *to++ = '+';
    if (*mode->data == 'x')
        *to++ = 'x';
    *to++ = 'e';
    *to = '\0';
    return true;
}

static FILE *open_stream(const PychoralStr *name, const char *mode)
{
    struct stat status;
    FILE *stream = fopen(name->data, mode);
    if (stream != NULL && fstat(fileno(stream), &status) == 0 && S_ISDIR(status.st_mode)) {
        fclose(stream);
        stream = NULL;
        errno = EISDIR;
    }
    if (stream == NULL)
        pychoral_throw_errno(errno, name);
    return stream;
}

PychoralTextIO *pychoral_file_open(const PychoralType *type, const PychoralStr *name,
                                   const PychoralStr *mode, const char *how)
{
    if (strlen(name->data) != name->size) {
        pychoral_throw(&pychoral_type_ValueError, "embedded null byte");
        return NULL;
    }
    FILE *stream = open_stream(name, how);
    if (stream == NULL)
        return NULL;
    PychoralTextIO *made = pychoral_object_new(type);
    if (made == NULL)
        pychoral_no_memory();
    made->own = stream;
    made->name = pychoral_keep(name);
    made->mode = pychoral_keep(mode);
    made->reads = how[0] == 'r' || how[1] == '+';
    made->writes = how[0] != 'r' || how[1] == '+';
    made->appends = how[0] == 'a';
    if (made->appends)
        (void)fseeko(stream, 0, SEEK_END);
    return made;
}

PychoralTextIO *pychoral_open(const PychoralStr *file, const PychoralStr *mode, int64_t buffering,
                              const PychoralStr *encoding, const PychoralStr *newline)
{
    char how[8];
    PychoralEncoding known = pychoral_encoding_of(encoding);
    if (known == PYCHORAL_NO_ENCODING)
        return NULL;
    if (known != PYCHORAL_UTF_8) {
        pychoral_throw(&pychoral_type_LookupError, "C programs have files in UTF-8 only, not in %s",
                       encoding->data);
        return NULL;
    }
    if (!read_mode(mode, how)) {
        pychoral_throw(&pychoral_type_ValueError, "invalid mode: '%s'", mode->data);
        return NULL;
    }
    PychoralTextIO *made = pychoral_file_open(&pychoral_type_TextIO, file, mode, how);
    if (made == NULL)
        return NULL;
    if (buffering == 1)
        setvbuf(made->own, NULL, _IOLBF, BUFSIZ);
    made->keeps_newlines = newline != NULL;
    made->encoding = encoding != NULL ? pychoral_keep(encoding) : NULL;
    return made;
}

void pychoral_textio_close(PychoralTextIO *file)
{
    FILE *stream = file->own;
    if (file->standard != PYCHORAL_NO_STANDARD || stream == NULL)
        return;
    file->own = NULL;
    if (fclose(stream) != 0)
        pychoral_throw_errno(errno, NULL);
}

PychoralTextIO *pychoral_textio_enter(PychoralTextIO *file)
{
    return opened(file) != NULL ? PYCHORAL_KEEP(file) : NULL;
}

void pychoral_textio_exit(PychoralTextIO *file, PychoralRef kind, PychoralRef fault,
                          PychoralRef trace)
{
    (void)kind;
    (void)fault;
    (void)trace;
    pychoral_textio_close(file);
}

// ---- what it is ----

bool pychoral_textio_closed(const PychoralTextIO *file) { return stream_of(file) == NULL; }

bool pychoral_textio_readable(PychoralTextIO *file)
{
    return file->reads && opened_below(file) != NULL;
}

bool pychoral_textio_writable(PychoralTextIO *file)
{
    return file->writes && opened_below(file) != NULL;
}

int64_t pychoral_textio_fileno(PychoralTextIO *file)
{
    FILE *stream = opened_below(file);
    return stream != NULL ? fileno(stream) : 0;
}

bool pychoral_textio_isatty(PychoralTextIO *file)
{
    FILE *stream = opened_below(file);
    return stream != NULL && isatty(fileno(stream)) == 1;
}

PychoralStr *pychoral_textio_name(const PychoralTextIO *file) { return PYCHORAL_KEEP(file->name); }

PychoralStr *pychoral_textio_mode(const PychoralTextIO *file) { return PYCHORAL_KEEP(file->mode); }

PychoralStr *pychoral_textio_encoding(const PychoralTextIO *file)
{
    return PYCHORAL_KEEP(file->encoding != NULL ? file->encoding : &unsaid);
}
