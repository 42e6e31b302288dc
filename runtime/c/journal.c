// journal.c - PROTOCOL.md section 9: a file of records that only grows. Each has its length and a
// CRC, so that a record that a crash has torn is known and cut off.

#include "journal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum {
    RECORD_IDENTITY,
    RECORD_INCARNATION,
    RECORD_MESSAGE,
    RECORD_EFFECT,
    RECORD_ENDED,
};

enum {
    HEAD_SIZE = 8,  // length of kind and body, CRC-32 of both
    MAX_FRAMES = 65535,
    MAX_LOOKED = 1 << 30,  // bytes summed up behind a break, whatever stands there
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
static bool begin_record(PychoralJournal *journal, int kind, size_t size,
                         PychoralFault *fault)
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

static bool write_out(PychoralJournal *journal, PychoralFault *fault)
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
    return !open || pending->size <= GROUP_SIZE || write_out(journal, fault);
}

bool pychoral_journal_add_message(PychoralJournal *journal, const char *peer,
                                  const PychoralFrame *frames, size_t count,
                                  PychoralFault *fault)
{
    size_t start = journal->pending.size;
    size_t size = 2 + strlen(peer) + 2 + 4 * count;
    for (size_t i = 0; i < count; i++)
        size += frames[i].size;
    if (count > MAX_FRAMES || !begin_record(journal, RECORD_MESSAGE, size, fault))
        return false;
    put_string(&journal->pending, peer);
    put_number(&journal->pending, count, 2);
    for (size_t i = 0; i < count; i++)
        put_number(&journal->pending, frames[i].size, 4);
    for (size_t i = 0; i < count; i++)
        put(&journal->pending, frames[i].data, frames[i].size);
    return end_record(journal, start, fault);
}

bool pychoral_journal_add_effect(PychoralJournal *journal, uint32_t site, const void *result,
                                 size_t size, PychoralFault *fault)
{
    size_t start = journal->pending.size;
    if (!begin_record(journal, RECORD_EFFECT, 4 + size, fault))
        return false;
    put_number(&journal->pending, site, 4);
    put(&journal->pending, result, size);
    return end_record(journal, start, fault);
}

bool pychoral_journal_add_end(PychoralJournal *journal, PychoralFault *fault)
{
    size_t start = journal->pending.size;
    return begin_record(journal, RECORD_ENDED, 0, fault) && end_record(journal, start, fault);
}

bool pychoral_journal_is_forced(const PychoralJournal *journal)
{
    return journal->is_forced;
}

// Whether the file still has a name: a successor puts its own in its place, and would never see
// what is written here now, so that nobody may be told of it.
static bool is_current(const PychoralJournal *journal)
{
    struct stat found;
    return fstat(journal->descriptor, &found) == 0 && found.st_nlink > 0;
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
                          "a newer process of the role has it");
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
    size_t start = journal->pending.size;
    size_t size = 4 + sizeof identity->protocol + sizeof identity->run_id + 2;
    if (!begin_record(journal, RECORD_IDENTITY, size + strlen(identity->role), fault))
        return false;
    put(&journal->pending, "CHJ1", 4);
    put(&journal->pending, identity->protocol, sizeof identity->protocol);
    put(&journal->pending, identity->run_id, sizeof identity->run_id);
    put_string(&journal->pending, identity->role);
    return end_record(journal, start, fault);
}

static bool check_identity(const PychoralJournal *journal, const PychoralIdentity *identity,
                           const uint8_t *record, size_t size, PychoralFault *fault)
{
    static const uint8_t start[] = {RECORD_IDENTITY, 'C', 'H', 'J', '1'};
    size_t length = strlen(identity->role);
    if (size < 55 || memcmp(record, start, sizeof start) != 0)
        return fail_wrong(fault, PYCHORAL_EXIT_PROTOCOL, journal->path, "it is no journal");
    if (memcmp(record + 5, identity->protocol, 32) != 0)
        return fail_wrong(fault, PYCHORAL_EXIT_PROTOCOL, journal->path,
                          "it was written by another program; rebuild that, or begin anew");
    if (memcmp(record + 37, identity->run_id, 16) != 0)
        return fail_wrong(fault, PYCHORAL_EXIT_REFUSED, journal->path, "it belongs to another run");
    if (number_at(record + 53, 2) != length || size != 55 + length ||
        memcmp(record + 55, identity->role, length) != 0)
        return fail_wrong(fault, PYCHORAL_EXIT_REFUSED, journal->path,
                          "it belongs to another role");
    return true;
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

static bool understand(PychoralJournal *journal, const PychoralHistory *history,
                       const uint8_t *record, size_t size)
{
    const uint8_t *body = record + 1;
    if (journal->has_ended && record[0] != RECORD_INCARNATION)
        return false;
    switch (record[0]) {
    case RECORD_INCARNATION:
        journal->incarnation = size == 9 ? number_at(body, 8) : 0;
        return size == 9;
    case RECORD_MESSAGE:
        return tell_message(history, body, size - 1);
    case RECORD_EFFECT:
        return size >= 5 && history->effect(history->context, (uint32_t)number_at(body, 4),
                                            body + 4, size - 5);
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
    const uint8_t *record = file->data + place + HEAD_SIZE;
    size_t size = number_at(file->data + place, 4);
    if (size == 0 || size > file->size - place - HEAD_SIZE)
        return false;
    switch (record[0]) {
    case RECORD_INCARNATION:
        return size == 9;
    case RECORD_MESSAGE:
        return is_message(record + 1, size - 1);
    case RECORD_EFFECT:
        return size >= 5;
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
                         const PychoralIdentity *identity, const PychoralHistory *history,
                         size_t *end, PychoralFault *fault)
{
    const uint8_t *record;
    size_t size;
    *end = 0;
    while (record_at(file, *end, &record, &size)) {
        if (*end == 0 && !check_identity(journal, identity, record, size, fault))
            return false;
        if (*end > 0 && !understand(journal, history, record, size)) {
            char text[64];
            snprintf(text, sizeof text, "the record at byte %zu cannot be understood", *end);
            return fail_wrong(fault, PYCHORAL_EXIT_PROTOCOL, journal->path, text);
        }
        *end += HEAD_SIZE + size;
    }
    if (*end == 0)
        return fail_wrong(fault, PYCHORAL_EXIT_PROTOCOL, journal->path, "it is no journal");
    if (is_damaged(file, *end)) {
        char text[64];
        snprintf(text, sizeof text, "the record at byte %zu is damaged", *end);
        return fail_wrong(fault, PYCHORAL_EXIT_PROTOCOL, journal->path, text);
    }
    journal->cut = file->size - *end;
    return true;
}

// ---- opening ----

// The whole file; no bytes if there is none.
static bool read_file(const char *path, Bytes *file, PychoralFault *fault)
{
    struct stat found;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);     // a FIFO must not hold us
    if (descriptor < 0)
        return errno == ENOENT || fail_system(fault, path);
    if (fstat(descriptor, &found) != 0 || !S_ISREG(found.st_mode)) {
        close(descriptor);
        return fail_wrong(fault, PYCHORAL_EXIT_REFUSED, path, "it is no file");
    }
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
    bool ok = count == 0 || fail_system(fault, path);
    close(descriptor);
    return ok;
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

// Puts a fresh file with `sound` and what is pending in the place of the old one.
static bool replace(PychoralJournal *journal, const uint8_t *sound, size_t size,
                    PychoralFault *fault)
{
    char fresh[4096];
    int length = snprintf(fresh, sizeof fresh, "%s.%ld.new", journal->path, (long)getpid());
    if (length >= (int)sizeof fresh)
        errno = ENAMETOOLONG;
    else if (unlink(fresh) == 0 || errno == ENOENT)     // of one of this number, killed on its way
        journal->descriptor = open(fresh, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (journal->descriptor < 0)
        return fail_system(fault, journal->path);
    bool ok = write_all(journal->descriptor, sound, size) &&
              write_all(journal->descriptor, journal->pending.data, journal->pending.size) &&
              fsync(journal->descriptor) == 0 && rename(fresh, journal->path) == 0 &&
              force_folder(journal->path);
    if (!ok) {
        fail_system(fault, journal->path);
        unlink(fresh);
        return false;
    }
    journal->pending.size = 0;
    journal->is_forced = true;
    return true;
}

static bool begin(PychoralJournal *journal, const PychoralIdentity *identity,
                  const PychoralHistory *history, const Bytes *file, PychoralFault *fault)
{
    size_t sound = 0;
    if (file->size == 0 ? !put_identity(journal, identity, fault)
                        : !tell_history(journal, file, identity, history, &sound, fault))
        return false;
    size_t start = journal->pending.size;
    if (!begin_record(journal, RECORD_INCARNATION, 8, fault))
        return false;
    put_number(&journal->pending, ++journal->incarnation, 8);
    return end_record(journal, start, fault) && replace(journal, file->data, sound, fault);
}

PychoralJournal *pychoral_journal_open(const char *path, const PychoralIdentity *identity,
                                       const PychoralHistory *history, PychoralFault *fault)
{
    Bytes file = {0};
    PychoralJournal *journal = calloc(1, sizeof *journal);
    if (journal)
        journal->path = strdup(path);
    bool ok = journal && journal->path;
    if (!ok) {
        errno = ENOMEM;
        fail_system(fault, path);
    } else {
        journal->descriptor = -1;
        ok = read_file(path, &file, fault) && begin(journal, identity, history, &file, fault);
    }
    free(file.data);
    if (!ok) {
        pychoral_journal_close(journal);
        return NULL;
    }
    return journal;
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
