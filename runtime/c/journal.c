// journal.c - PROTOCOL.md section 9: a file of records that only grows. Each has its length and a
// CRC, so that a record that a crash has torn is known and cut off.

#define _DEFAULT_SOURCE 1               // realpath

#include "journal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

enum {
    RECORD_IDENTITY,
    RECORD_INCARNATION,
    RECORD_MESSAGE,
    RECORD_EFFECT,
    RECORD_ENDED,
    RECORD_SENT,
    RECORD_REPEATS,
};

enum {
    HEAD_SIZE = 8,  // length of kind and body, CRC-32 of both
    MAX_FRAMES = 65535,
    MAX_LOOKED = 1 << 30,  // bytes summed up behind a break, whatever stands there
    PATIENCE_MS = 5000,  // for another process that opens the journal
    GROUP_SIZE = 1 << 20,  // written out beyond this, to bound memory; forced only when asked
};

// Bytes that grow.
typedef struct Bytes {
    uint8_t *data;
    size_t size;
    size_t capacity;
} Bytes;

struct PychoralJournal {
    char *path;
    int descriptor;
    uint64_t incarnation;
    bool has_ended;
    bool is_forced;
    size_t cut;
    Bytes pending;
    PychoralRepeats repeats;
};

// ---- bytes ----

static bool grow(Bytes *bytes, size_t more)
{
    if (bytes->capacity - bytes->size >= more)
        return true;
    size_t capacity = bytes->capacity ? bytes->capacity : 256;
    while (capacity - bytes->size < more) {
        if (capacity > SIZE_MAX / 2)
            return false;
        capacity *= 2;
    }
    uint8_t *data = realloc(bytes->data, capacity);
    if (!data)
        return false;
    bytes->data = data;
    bytes->capacity = capacity;
    return true;
}

// Room for what follows was made by `begin_record`.
static void put(Bytes *bytes, const void *data, size_t size)
{
    if (size)
        memcpy(bytes->data + bytes->size, data, size);
    bytes->size += size;
}

static void put_number(Bytes *bytes, uint64_t number, int size)
{
    while (size-- > 0)
        bytes->data[bytes->size++] = (uint8_t)(number >> (8 * size));
}

static void put_string(Bytes *bytes, const char *text)
{
    put_number(bytes, strlen(text), 2);
    put(bytes, text, strlen(text));
}

static uint64_t number_at(const uint8_t *data, int size)
{
    uint64_t number = 0;
    for (int i = 0; i < size; i++)
        number = number << 8 | data[i];
    return number;
}

// ---- faults ----

static bool fail_wrong(PychoralFault *fault, int status, const char *path, const char *text)
{
    return pychoral_fault_set(fault, status, "the journal %.200s cannot be used: %s", path, text);
}

// The sentence for errno.
static bool fail_system(PychoralFault *fault, const char *path)
{
    bool full = errno == ENOSPC || errno == EDQUOT || errno == EFBIG;
    return pychoral_fault_set(fault, PYCHORAL_EXIT_PEER_LOST, "the journal %.200s cannot %s: %s",
                              path, full ? "grow" : "be written", strerror(errno));
}

// ---- adding ----

// Makes room for a record with a body of `size` bytes; the caller then puts exactly those.
static bool make_record(PychoralJournal *journal, int kind, size_t size, PychoralFault *fault)
{
    if (size > UINT32_MAX - 1 || !grow(&journal->pending, HEAD_SIZE + 1 + size)) {
        errno = ENOMEM;
        return fail_system(fault, journal->path);
    }
    put_number(&journal->pending, 1 + size, 4);
    put_number(&journal->pending, 0, 4);
    put_number(&journal->pending, (uint64_t)kind, 1);
    return true;
}

static bool write_all(int descriptor, const uint8_t *data, size_t size)
{
    while (size > 0) {
        ssize_t written = write(descriptor, data, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return false;
        data += written;
        size -= (size_t)written;
    }
    return true;
}

static bool flush(PychoralJournal *journal, PychoralFault *fault)
{
    if (!write_all(journal->descriptor, journal->pending.data, journal->pending.size))
        return fail_system(fault, journal->path);
    journal->pending.size = 0;
    return true;
}

// Closes the record that began at `start`: its CRC is known now.
static bool end_record(PychoralJournal *journal, size_t start, PychoralFault *fault)
{
    Bytes *pending = &journal->pending;
    size_t end = pending->size, body = start + HEAD_SIZE;
    pending->size = start + 4;
    put_number(pending, crc32_z(0, pending->data + body, end - body), 4);
    pending->size = end;
    journal->is_forced = false;
    bool open = journal->descriptor >= 0;
    return !open || pending->size <= GROUP_SIZE || flush(journal, fault);
}

// What is added next comes behind the numbers added before.
static bool close_repeats(PychoralJournal *journal, PychoralFault *fault)
{
    PychoralRepeats *repeats = &journal->repeats;
    size_t start = journal->pending.size;
    if (repeats->size == 0)
        return true;
    if (!make_record(journal, RECORD_REPEATS, repeats->size, fault))
        return false;
    put(&journal->pending, repeats->body, repeats->size);
    repeats->size = repeats->count = 0;
    return end_record(journal, start, fault);
}

// As make_record; `*start` is where it begins.
static bool begin_record(PychoralJournal *journal, int kind, size_t size, size_t *start,
                         PychoralFault *fault)
{
    if (!close_repeats(journal, fault))
        return false;
    *start = journal->pending.size;
    return make_record(journal, kind, size, fault);
}

static bool write_out(PychoralJournal *journal, PychoralFault *fault)
{
    return close_repeats(journal, fault) && flush(journal, fault);
}

bool pychoral_journal_add_message(PychoralJournal *journal, const char *peer,
                                  const PychoralFrame *frames, size_t count,
                                  PychoralFault *fault)
{
    size_t start, size = 2 + strlen(peer) + 2 + 4 * count;
    for (size_t i = 0; i < count; i++)
        size += frames[i].size;
    if (count > MAX_FRAMES || !begin_record(journal, RECORD_MESSAGE, size, &start, fault))
        return false;
    put_string(&journal->pending, peer);
    put_number(&journal->pending, count, 2);
    for (size_t i = 0; i < count; i++)
        put_number(&journal->pending, frames[i].size, 4);
    for (size_t i = 0; i < count; i++)
        put(&journal->pending, frames[i].data, frames[i].size);
    return end_record(journal, start, fault);
}

// A record of a string and bytes.
static bool add_named(PychoralJournal *journal, int kind, const char *name, const void *data,
                      size_t size, PychoralFault *fault)
{
    size_t start;
    if (!begin_record(journal, kind, 2 + strlen(name) + size, &start, fault))
        return false;
    put_string(&journal->pending, name);
    put(&journal->pending, data, size);
    return end_record(journal, start, fault);
}

bool pychoral_journal_add_effect(PychoralJournal *journal, const char *name, const void *result,
                                 size_t size, PychoralFault *fault)
{
    return add_named(journal, RECORD_EFFECT, name, result, size, fault);
}

bool pychoral_journal_add_number(PychoralJournal *journal, const char *name, PychoralNumber number,
                                 PychoralFault *fault)
{
    journal->is_forced = false;
    return pychoral_repeats_add(&journal->repeats, name, number) ||
           (close_repeats(journal, fault) &&
            pychoral_repeats_add(&journal->repeats, name, number));
}

bool pychoral_journal_add_sent(PychoralJournal *journal, const char *peer, const uint8_t *record,
                               size_t size, PychoralFault *fault)
{
    bool is_forced = journal->is_forced;
    bool good = add_named(journal, RECORD_SENT, peer, record, size, fault) &&
                flush(journal, fault);
    journal->is_forced = is_forced;
    return good;
}

bool pychoral_journal_add_end(PychoralJournal *journal, PychoralFault *fault)
{
    size_t start;
    return begin_record(journal, RECORD_ENDED, 0, &start, fault) &&
           end_record(journal, start, fault);
}

bool pychoral_journal_is_forced(const PychoralJournal *journal)
{
    return journal->is_forced;
}

// Whether this is the role's journal still: it has its name, and not the mark. Else a successor has
// read it, or is about to, and may never see what was written now, so that nobody may be told of
// it.
static bool is_current(const PychoralJournal *journal)
{
    struct stat found;
    return fstat(journal->descriptor, &found) == 0 && found.st_nlink > 0 &&
           (found.st_mode & S_IWUSR) != 0;
}

bool pychoral_journal_force(PychoralJournal *journal, PychoralFault *fault)
{
    if (journal->is_forced)
        return true;
    if (!write_out(journal, fault))
        return false;
    if (fdatasync(journal->descriptor) != 0)
        return fail_system(fault, journal->path);
    if (!is_current(journal))
        return fail_wrong(fault, PYCHORAL_EXIT_REFUSED, journal->path,
                          "a newer process of the role uses it");
    journal->is_forced = true;
    return true;
}

uint64_t pychoral_journal_incarnation(const PychoralJournal *journal)
{
    return journal->incarnation;
}

bool pychoral_journal_has_ended(const PychoralJournal *journal)
{
    return journal->has_ended;
}

size_t pychoral_journal_cut(const PychoralJournal *journal)
{
    return journal->cut;
}

// ---- reading ----

// The kind and body of the record at `place`, if one is there whole and sound.
static bool record_at(const Bytes *file, size_t place, const uint8_t **record, size_t *size)
{
    if (place > file->size || file->size - place < HEAD_SIZE)
        return false;
    *size = number_at(file->data + place, 4);
    *record = file->data + place + HEAD_SIZE;
    return *size > 0 && *size <= file->size - place - HEAD_SIZE &&
           crc32_z(0, *record, *size) == number_at(file->data + place + 4, 4);
}

static bool put_identity(PychoralJournal *journal, const PychoralIdentity *identity,
                         PychoralFault *fault)
{
    size_t start, size;
    uint8_t *body = pychoral_identity_body(identity, &size);
    if (!body) {
        errno = ENOMEM;
        return fail_system(fault, journal->path);
    }
    bool good = begin_record(journal, RECORD_IDENTITY, size, &start, fault);
    if (good)
        put(&journal->pending, body, size);
    free(body);
    return good && end_record(journal, start, fault);
}

// Whether the file is empty, or begins with this identity.
static bool check_identity(const PychoralJournal *journal, const Bytes *file,
                           const PychoralIdentity *identity, PychoralFault *fault)
{
    const uint8_t *record;
    size_t size;
    if (file->size == 0)
        return true;
    if (!record_at(file, 0, &record, &size))
        return pychoral_identity_missing(journal->path, fault);
    return pychoral_identity_check(identity, journal->path, record + 1, size - 1, fault);
}

// Whether the sizes in a message's record add up.
static bool is_message(const uint8_t *body, size_t size)
{
    size_t length = size < 4 ? SIZE_MAX : number_at(body, 2);
    if (length > size || size - length < 4)
        return false;
    const uint8_t *sizes = body + 2 + length + 2;
    size_t count = number_at(sizes - 2, 2);
    size_t end = 4 + length + 4 * count;
    for (size_t i = 0; end <= size && i < count; i++)
        end += number_at(sizes + 4 * i, 4);
    return count > 0 && end == size;
}

// Tells a message; false if the record cannot be understood or memory has run out.
static bool tell_message(const PychoralHistory *history, const uint8_t *body, size_t size)
{
    if (!is_message(body, size))
        return false;
    size_t length = number_at(body, 2);
    const uint8_t *sizes = body + 2 + length + 2;
    size_t count = number_at(sizes - 2, 2);
    size_t place = 4 + length + 4 * count;
    PychoralFrame *frames = calloc(count, sizeof *frames);
    char *peer = calloc(1, length + 1);
    bool ok = frames && peer && !memchr(body + 2, 0, length);
    for (size_t i = 0; ok && i < count; i++) {
        frames[i] = (PychoralFrame){body + place, number_at(sizes + 4 * i, 4), NULL};
        place += frames[i].size;
    }
    if (ok) {
        memcpy(peer, body + 2, length);
        ok = history->message(history->context, peer, frames, count);
    }
    free(frames);
    free(peer);
    return ok;
}

// Where the string that a record begins with ends; 0 if there is none.
static size_t string_end(const uint8_t *body, size_t size)
{
    return size >= 2 && number_at(body, 2) <= size - 2 ? 2 + number_at(body, 2) : 0;
}

static bool tell_sent(const PychoralHistory *history, const uint8_t *body, size_t size)
{
    size_t end = string_end(body, size);
    char *peer = end ? strndup((const char *)body + 2, end - 2) : NULL;
    bool ok = peer && history->sent(history->context, peer, body + end, size - end);
    free(peer);
    return ok;
}

static bool understand(PychoralJournal *journal, const PychoralHistory *history,
                       const uint8_t *record, size_t size)
{
    const uint8_t *body = record + 1;
    if (journal->has_ended && record[0] != RECORD_INCARNATION)
        return false;
    switch (record[0]) {
    case RECORD_INCARNATION:
        journal->incarnation = size == 9 ? number_at(body, 8) : 0;
        return size == 9 && journal->incarnation != UINT64_MAX;     // none could follow
    case RECORD_MESSAGE:
        return tell_message(history, body, size - 1);
    case RECORD_EFFECT:
        return string_end(body, size - 1) > 0 &&
               history->effect(history->context, false, body, size - 1);
    case RECORD_REPEATS:
        return size > 1 && history->effect(history->context, true, body, size - 1);
    case RECORD_SENT:
        return tell_sent(history, body, size - 1);
    case RECORD_ENDED:
        journal->has_ended = true;
        return size == 1;
    default:
        return false;
    }
}

// Whether a record that is not the first may stand at `place`, by what costs little to look at.
static bool may_be_record(const Bytes *file, size_t place)
{
    const uint8_t *record = file->data + place + HEAD_SIZE, *body = record + 1;
    size_t size = number_at(file->data + place, 4);
    if (size == 0 || size > file->size - place - HEAD_SIZE)
        return false;
    switch (record[0]) {
    case RECORD_INCARNATION:
        return size == 9;
    case RECORD_MESSAGE:
        return is_message(body, size - 1);
    case RECORD_EFFECT:
        return string_end(body, size - 1) > 0;
    case RECORD_SENT:
        return string_end(body, size - 1) > 0 &&
               size - 1 - string_end(body, size - 1) == 20;
    case RECORD_REPEATS:
        return size > 4 && body[0] == 0;        // the first is named
    case RECORD_ENDED:
        return size == 1;
    default:
        return false;
    }
}

// Only what stands last can be torn: a sound record behind the break means damage. It is looked for
// at every byte, as the broken record's length may be what is wrong.
static bool is_damaged(const Bytes *file, size_t end)
{
    const uint8_t *record;
    size_t size, looked = 0;
    for (size_t at = end + 1; at + HEAD_SIZE < file->size && looked < MAX_LOOKED; at++) {
        if (!may_be_record(file, at))
            continue;
        if (record_at(file, at, &record, &size))
            return true;
        looked += size;
    }
    return false;
}

// Tells what the file holds; `*end` is where its sound part ends.
static bool tell_history(PychoralJournal *journal, const Bytes *file,
                         const PychoralHistory *history, size_t *end, PychoralFault *fault)
{
    const uint8_t *record;
    size_t size;
    *end = 0;
    while (record_at(file, *end, &record, &size)) {
        if (*end > 0 && !understand(journal, history, record, size)) {
            char text[64];
            snprintf(text, sizeof text, "the record at byte %zu cannot be decoded", *end);
            return fail_wrong(fault, PYCHORAL_EXIT_PROTOCOL, journal->path, text);
        }
        *end += HEAD_SIZE + size;
    }
    if (is_damaged(file, *end)) {
        char text[128];
        snprintf(text, sizeof text, "the record at byte %zu is damaged; restore the file from a "
                 "copy, or delete the journals of all roles", *end);
        return fail_wrong(fault, PYCHORAL_EXIT_PROTOCOL, journal->path, text);
    }
    journal->cut = file->size - *end;
    return true;
}

// ---- opening ----

// Whether the file is ours now, and still the one of this name; errno is 0 if it is not.
static bool lock(int descriptor, const char *path)
{
    struct stat mine, there;
    errno = 0;
    return flock(descriptor, LOCK_EX | LOCK_NB) == 0 && fstat(descriptor, &mine) == 0 &&
           stat(path, &there) == 0 && mine.st_dev == there.st_dev && mine.st_ino == there.st_ino;
}

// The file, made if there is none; nothing is written to it, but locks want it so.
static int open_file(const char *path, PychoralFault *fault)
{
    int flags = O_CREAT | O_CLOEXEC | O_NONBLOCK;       // a FIFO must not hold us
    struct stat found;
    int descriptor = open(path, O_RDWR | flags, 0600);
    if (descriptor < 0 && errno == EACCES)      // it has the mark of one that was killed on its way
        descriptor = open(path, O_RDONLY | flags, 0600);
    if (descriptor < 0) {
        fail_system(fault, path);
    } else if (fstat(descriptor, &found) != 0 || !S_ISREG(found.st_mode)) {
        close(descriptor);
        fail_wrong(fault, PYCHORAL_EXIT_REFUSED, path, "it is not a regular file");
        return -1;
    }
    return descriptor;
}

// The file, locked against others that begin; -1 with a fault.
static int hold(const char *path, PychoralFault *fault)
{
    for (int waited = 0; waited < PATIENCE_MS; waited += 10) {
        int descriptor = open_file(path, fault);
        if (descriptor < 0 || lock(descriptor, path))
            return descriptor;
        bool is_held = errno == EWOULDBLOCK || errno == ENOENT || errno == 0;
        if (!is_held)
            fail_system(fault, path);
        close(descriptor);
        if (!is_held)
            return -1;
        nanosleep(&(struct timespec){0, 10 * 1000 * 1000}, NULL);
    }
    fail_wrong(fault, PYCHORAL_EXIT_REFUSED, path, "another process of the role is opening it");
    return -1;
}

// Adds all that has not been read.
static bool read_file(int descriptor, const char *path, Bytes *file, PychoralFault *fault)
{
    ssize_t count = 1;
    while (count > 0 && grow(file, 65536)) {
        count = read(descriptor, file->data + file->size, 65536);
        if (count < 0 && errno == EINTR)
            count = 1;
        else if (count > 0)
            file->size += (size_t)count;
    }
    if (count > 0)
        errno = ENOMEM;
    return count == 0 || fail_system(fault, path);
}

// A rename is on disk when its folder is.
static bool force_folder(const char *path)
{
    char folder[4096];
    snprintf(folder, sizeof folder, "%s", path);
    char *slash = strrchr(folder, '/');
    if (slash)
        slash[slash == folder] = '\0';
    int descriptor = open(slash ? folder : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0)
        return false;
    bool ok = fsync(descriptor) == 0;
    close(descriptor);
    return ok;
}

// Puts a fresh file with `sound` and what is pending in the place of the old one, which is at
// `path`.
static bool replace_at(PychoralJournal *journal, const char *path, const uint8_t *sound,
                       size_t size, PychoralFault *fault)
{
    char fresh[4096];
    int length = snprintf(fresh, sizeof fresh, "%s.%ld.new", path, (long)getpid());
    if (length >= (int)sizeof fresh)
        errno = ENAMETOOLONG;
    else if (unlink(fresh) == 0 || errno == ENOENT)     // of one of this number, killed on its way
        journal->descriptor = open(fresh, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (journal->descriptor < 0)
        return fail_system(fault, journal->path);
    bool ok = write_all(journal->descriptor, sound, size) &&
              write_all(journal->descriptor, journal->pending.data, journal->pending.size) &&
              fsync(journal->descriptor) == 0 && rename(fresh, path) == 0 && force_folder(path);
    if (!ok) {
        fail_system(fault, journal->path);
        unlink(fresh);
        return false;
    }
    journal->pending.size = 0;
    journal->is_forced = true;
    return true;
}

// The same; a link to the old file stays one.
static bool replace(PychoralJournal *journal, const uint8_t *sound, size_t size,
                    PychoralFault *fault)
{
    char *path = realpath(journal->path, NULL);
    bool ok = path ? replace_at(journal, path, sound, size, fault)
                   : fail_system(fault, journal->path);
    free(path);
    return ok;
}

static bool begin(PychoralJournal *journal, const PychoralIdentity *identity,
                  const PychoralHistory *history, const Bytes *file, PychoralFault *fault)
{
    size_t sound = 0, start;
    if (file->size == 0 ? !put_identity(journal, identity, fault)
                        : !tell_history(journal, file, history, &sound, fault))
        return false;
    if (!begin_record(journal, RECORD_INCARNATION, 8, &start, fault))
        return false;
    put_number(&journal->pending, ++journal->incarnation, 8);
    return end_record(journal, start, fault) && replace(journal, file->data, sound, fault);
}

// Reads the old file and puts one with a new incarnation in its place.
static bool take_over(PychoralJournal *journal, int old, const PychoralIdentity *identity,
                      const PychoralHistory *history, PychoralFault *fault)
{
    Bytes file = {0};
    struct stat found;
    bool ok = read_file(old, journal->path, &file, fault) &&
              check_identity(journal, &file, identity, fault);
    if (ok && (fstat(old, &found) != 0 || fchmod(old, found.st_mode & 07777 & ~0200U) != 0))
        ok = fail_system(fault, journal->path);
    else if (ok) {
        ok = read_file(old, journal->path, &file, fault) &&     // spoken of before the mark
             begin(journal, identity, history, &file, fault);
        if (!ok)
            fchmod(old, found.st_mode & 07777);
    }
    free(file.data);
    return ok;
}

PychoralJournal *pychoral_journal_open(const char *path, const PychoralIdentity *identity,
                                       const PychoralHistory *history, PychoralFault *fault)
{
    PychoralJournal *journal = calloc(1, sizeof *journal);
    if (journal)
        journal->path = strdup(path);
    if (!journal || !journal->path) {
        errno = ENOMEM;
        fail_system(fault, path);
        free(journal);
        return NULL;
    }
    journal->descriptor = -1;
    int old = hold(path, fault);
    bool ok = old >= 0 && take_over(journal, old, identity, history, fault);
    if (old >= 0)
        close(old);
    if (ok)
        return journal;
    pychoral_journal_close(journal);
    return NULL;
}

void pychoral_journal_close(PychoralJournal *journal)
{
    if (!journal)
        return;
    if (journal->descriptor >= 0)
        close(journal->descriptor);
    free(journal->pending.data);
    free(journal->path);
    free(journal);
}
