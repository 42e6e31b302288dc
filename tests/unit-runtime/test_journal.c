// test_journal.c - the journal: what was forced comes back, torn tails go, others are refused, and
// the bytes are those that the Python runtime writes (runtime/vectors/journal.hex).

#include <check.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "journal.h"
#include "sent.h"

static char folder[] = "/tmp/pychoral-journal-XXXXXX";
static char path[64];
static PychoralGiven options[2];
static PychoralIdentity mine;
static PychoralFault fault;

// What a journal tells, as text: `m Alice head1,value;`, `e die 1;` (the size of the result),
// `r clock 64;` (bits of a number) and `s Alice 2;` (what is known of).
static char told[4096];
static PychoralSentTo known;
static PychoralJournal *rival;          // an old process, which adds a record while that is told

static bool tell_message(void *context, const char *peer, const PychoralFrame *frames, size_t count)
{
    (void)context;
    size_t used = strlen(told);
    if (rival) {
        ck_assert(pychoral_journal_add_message(rival, peer, frames, count, &fault));
        ck_assert(!pychoral_journal_force(rival, &fault));
        ck_assert_ptr_nonnull(strstr(fault.text, "a newer process"));
    }
    used += (size_t)snprintf(told + used, sizeof told - used, "m %s ", peer);
    for (size_t i = 0; i < count; i++)
        used += (size_t)snprintf(told + used, sizeof told - used, "%.*s%s", (int)frames[i].size,
                                 (const char *)frames[i].data, i + 1 < count ? "," : ";");
    return true;
}

static bool tell_effect(void *context, bool is_repeats, const uint8_t *body, size_t size)
{
    (void)context;
    PychoralRepeatsReader reader = {0};
    PychoralNumber number;
    const char *name;
    size_t length, used = strlen(told);
    if (!is_repeats) {
        length = (size_t)body[0] << 8 | body[1];
        snprintf(told + used, sizeof told - used, "e %.*s %zu;", (int)length, body + 2,
                 size - 2 - length);
        return true;
    }
    pychoral_repeats_read(&reader, body, size);
    while (pychoral_repeats_next(&reader, &name, &length, &number))
        used += (size_t)snprintf(told + used, sizeof told - used, "r %.*s%s %lld;", (int)length,
                                 name, number.is_float ? " float" : "", (long long)number.bits);
    pychoral_repeats_read(&reader, NULL, 0);
    return true;
}

static bool tell_sent(void *context, const char *peer, const uint8_t *record, size_t size)
{
    (void)context;
    size_t used = strlen(told);
    if (!pychoral_sent_restore(&known, record, size))
        return false;
    snprintf(told + used, sizeof told - used, "s %s %llu;", peer, (unsigned long long)known.before);
    return true;
}

static const PychoralHistory history = {NULL, tell_message, tell_effect, tell_sent};

static void setup(void)
{
    strcpy(folder, "/tmp/pychoral-journal-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/j", folder);
    memset(mine.protocol, 'p', sizeof mine.protocol);
    options[0] = (PychoralGiven){"count", "5"};
    options[1] = (PychoralGiven){"name", NULL};
    mine.run = "run";
    mine.role = "Bob";
    mine.options = options;
    mine.option_count = 2;
}

static void teardown(void)
{
    pychoral_sent_clear(&known);
    unlink(path);
    rmdir(folder);
}

static PychoralJournal *open_journal(void)
{
    told[0] = '\0';
    pychoral_sent_clear(&known);
    return pychoral_journal_open(path, &mine, &history, &fault);
}

static PychoralFrame frame(const char *text)
{
    return (PychoralFrame){text, strlen(text), NULL};
}

static PychoralNumber float_number(double number)
{
    PychoralNumber made = {.is_float = true};
    memcpy(&made.bits, &number, sizeof made.bits);
    return made;
}

// What the vector has besides.
static void fill_more(PychoralJournal *journal)
{
    PychoralFrame value = frame("value");
    PychoralSentTo sent = {0};
    uint8_t entry[PYCHORAL_SENT_ENTRY], record[PYCHORAL_SENT_RECORD];
    for (int i = 1; i <= 2; i++) {
        PychoralNumber clock = float_number(1700000000.0 + 0.25 * i);
        PychoralNumber pid = {.bits = (uint64_t)-7};
        ck_assert(pychoral_journal_add_number(journal, "clock", clock, &fault));
        ck_assert(pychoral_journal_add_number(journal, "pid", pid, &fault));
    }
    pychoral_sent_entry(entry, PYCHORAL_DATA, 3, 0, &value, 1);
    pychoral_sent_note(&sent, entry, record);
    ck_assert(pychoral_journal_add_sent(journal, "Alice", record, sizeof record, &fault));
    pychoral_sent_entry(entry, PYCHORAL_SELECT, 4, 1, NULL, 0);
    pychoral_sent_note(&sent, entry, record);
    ck_assert(pychoral_journal_add_sent(journal, "Alice", record, sizeof record, &fault));
}

static void fill(bool with_end)
{
    PychoralJournal *journal = open_journal();
    ck_assert_ptr_nonnull(journal);
    PychoralFrame first[] = {frame("head1"), frame("value")};
    PychoralFrame second[] = {frame("head2"), frame("")};
    ck_assert(pychoral_journal_add_message(journal, "Alice", first, 2, &fault));
    ck_assert(pychoral_journal_add_effect(journal, "die", "\x01", 1, &fault));
    if (with_end)
        fill_more(journal);
    ck_assert(pychoral_journal_add_message(journal, "Älice", second, 2, &fault));
    ck_assert(!with_end || pychoral_journal_add_end(journal, &fault));
    ck_assert(!pychoral_journal_is_forced(journal));
    ck_assert(pychoral_journal_force(journal, &fault));
    ck_assert(pychoral_journal_is_forced(journal));
    pychoral_journal_close(journal);
}

static size_t read_bytes(uint8_t *bytes, size_t size)
{
    FILE *file = fopen(path, "rb");
    ck_assert_ptr_nonnull(file);
    size_t count = fread(bytes, 1, size, file);
    fclose(file);
    return count;
}

static void write_bytes(const uint8_t *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(bytes, 1, size, file), size);
    fclose(file);
}

START_TEST(forced_comes_back)
{
    fill(false);
    PychoralJournal *journal = open_journal();
    ck_assert_str_eq(told, "m Alice head1,value;e die 1;m Älice head2,;");
    ck_assert_uint_eq(pychoral_journal_incarnation(journal), 2);
    ck_assert(!pychoral_journal_has_ended(journal));
    pychoral_journal_close(journal);
}
END_TEST

START_TEST(end_is_remembered)
{
    fill(true);
    PychoralJournal *journal = open_journal();
    ck_assert(pychoral_journal_has_ended(journal));
    pychoral_journal_close(journal);
}
END_TEST

START_TEST(same_bytes_as_python)
{
    fill(true);
    uint8_t bytes[1024];
    size_t size = read_bytes(bytes, sizeof bytes);
    FILE *file = fopen("runtime/vectors/journal.hex", "r");
    ck_assert_ptr_nonnull(file);
    unsigned byte;
    ck_assert_uint_lt(size, sizeof bytes);
    for (size_t i = 0; i < size; i++) {
        ck_assert_int_eq(fscanf(file, "%2x", &byte), 1);
        ck_assert_uint_eq(bytes[i], byte);
    }
    ck_assert_int_eq(fscanf(file, "%2x", &byte), EOF);
    fclose(file);
}
END_TEST

enum {
    FIRST = 8 + 78 + 8 + 9,                     // where the first record behind the start is
    LAST_SIZE = 9 + 2 + 6 + 2 + 8 + 5,          // of the last record of `fill`
};

START_TEST(torn_tails_are_cut)
{
    fill(false);
    uint8_t bytes[1024];
    size_t size = read_bytes(bytes, sizeof bytes);
    for (size_t cut = 1; cut < 30; cut++) {
        write_bytes(bytes, size - cut);
        PychoralJournal *journal = open_journal();
        ck_assert_msg(journal, "%zu: %s", cut, fault.text);
        ck_assert_str_eq(told, "m Alice head1,value;e die 1;");
        ck_assert_uint_eq(pychoral_journal_cut(journal), LAST_SIZE - cut);
        pychoral_journal_close(journal);
    }
}
END_TEST

// Whatever byte changes, what is told is a part of the history from its beginning.
START_TEST(changed_bytes_change_no_history)
{
    static const char whole[] = "m Alice head1,value;e die 1;m Älice head2,;";
    fill(false);
    uint8_t bytes[1024];
    size_t size = read_bytes(bytes, sizeof bytes);
    for (size_t i = 0; i < size; i++) {
        for (unsigned change = 1; change < 256; change += 12) {
            bytes[i] ^= (uint8_t)change;
            write_bytes(bytes, size);
            PychoralJournal *journal = open_journal();
            ck_assert_msg(strncmp(told, whole, strlen(told)) == 0, "byte %zu: %s", i, told);
            pychoral_journal_close(journal);
            bytes[i] ^= (uint8_t)change;
        }
    }
}
END_TEST

static void check_refused(const char *text, int status)
{
    ck_assert_ptr_null(open_journal());
    ck_assert_msg(strstr(fault.text, text), "%s", fault.text);
    ck_assert_int_eq(fault.status, status);
}

START_TEST(journals_of_others_are_refused)
{
    fill(false);
    mine.role = "Eve";
    check_refused("another role, Bob", 77);
    mine.role = "Bob";
    mine.run = "";
    check_refused("it belongs to the run run, but this is the run without a name; use the same "
                  "--run", 77);
    mine.protocol[0] = 'q';
    check_refused("it was written by another program, or by another version of this one; run that "
                  "one, or use another file", 76);
    write_bytes((const uint8_t *)"my thesis, do not lose", 22);
    check_refused(": it is not a journal, or its first record is damaged; use another file", 76);
    ck_assert_int_eq(strncmp(fault.text, "the file ", 9), 0);
    uint8_t bytes[64];
    ck_assert_uint_eq(read_bytes(bytes, sizeof bytes), 22);
}
END_TEST

START_TEST(other_options_are_refused)
{
    fill(false);
    options[0].text = "6";
    check_refused("started with another --count; give the same options again", 77);
    options[0].text = NULL;
    check_refused("started with --count;", 77);
    options[0].text = "5";
    options[1].text = "";
    check_refused("started without --name;", 77);
    mine.option_count = 1;
    check_refused("started with other options;", 77);
    options[1].text = NULL;
    mine.option_count = 2;
    PychoralJournal *journal = open_journal();
    ck_assert_uint_eq(pychoral_journal_incarnation(journal), 2);
    pychoral_journal_close(journal);
}
END_TEST

// A record 0 that is cut anywhere, or changed anywhere, is refused and never read beyond its end.
START_TEST(any_identity_is_read_safely)
{
    size_t size;
    uint8_t *body = pychoral_identity_body(&mine, &size);
    for (size_t cut = 0; cut < size; cut++) {
        uint8_t *part = malloc(cut + 1);
        memcpy(part, body, cut);
        ck_assert(!pychoral_identity_check(&mine, path, part, cut, &fault));
        free(part);
    }
    for (size_t i = 0; i < size; i++) {
        for (unsigned change = 1; change < 256; change++) {
            body[i] ^= (uint8_t)change;
            ck_assert(!pychoral_identity_check(&mine, path, body, size, &fault));
            body[i] ^= (uint8_t)change;
        }
    }
    ck_assert(pychoral_identity_check(&mine, path, body, size, &fault));
    free(body);
}
END_TEST

START_TEST(numbers_come_back)
{
    static const int64_t values[] = {0, INT64_MAX, INT64_MIN, -1, 7};
    PychoralJournal *journal = open_journal();
    char wanted[512] = "";
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        PychoralNumber number = {.bits = (uint64_t)values[i]};
        size_t used = strlen(wanted);
        snprintf(wanted + used, sizeof wanted - used, "r a %lld;r b float %lld;",
                 (long long)values[i], (long long)values[i]);
        ck_assert(pychoral_journal_add_number(journal, "a", number, &fault));
        number.is_float = true;
        ck_assert(pychoral_journal_add_number(journal, "b", number, &fault));
    }
    ck_assert(!pychoral_journal_is_forced(journal));
    ck_assert(pychoral_journal_force(journal, &fault));
    pychoral_journal_close(journal);
    pychoral_journal_close(open_journal());
    ck_assert_str_eq(told, wanted);
}
END_TEST

// Names and bytes beyond one record: others follow.
START_TEST(many_numbers_come_back)
{
    PychoralRepeats repeats = {0};
    char name[16];
    int fit = 0;
    for (; snprintf(name, sizeof name, "n%d", fit) > 0; fit++)
        if (!pychoral_repeats_add(&repeats, name, (PychoralNumber){.bits = UINT64_MAX / 3}))
            break;
    ck_assert_int_eq(fit, PYCHORAL_REPEATS_NAMES);
    while (pychoral_repeats_add(&repeats, "n1", (PychoralNumber){.bits = (uint64_t)fit}))
        fit++;
    ck_assert_uint_le(repeats.size, sizeof repeats.body);
    PychoralRepeatsReader reader = {0};
    PychoralNumber number = {0};
    size_t length;
    const char *found;
    pychoral_repeats_read(&reader, repeats.body, repeats.size);
    int count = 0;
    while (pychoral_repeats_next(&reader, &found, &length, &number))
        count++;
    ck_assert(!reader.is_bad);
    ck_assert_int_eq(count, fit);
    ck_assert_uint_eq(number.bits, (uint64_t)fit - 1);
    pychoral_repeats_read(&reader, NULL, 0);
}
END_TEST

START_TEST(any_bytes_are_read_or_refused)
{
    PychoralRepeats repeats = {0};
    pychoral_repeats_add(&repeats, "clock", float_number(1.5));
    pychoral_repeats_add(&repeats, "clock", float_number(2.5));
    pychoral_repeats_add(&repeats, "pid", (PychoralNumber){.bits = 300});
    for (size_t i = 0; i < repeats.size; i++) {
        for (unsigned change = 0; change < 256; change++) {
            PychoralRepeatsReader reader = {0};
            PychoralNumber number;
            const char *name;
            size_t length, size = change ? repeats.size : i;
            uint8_t *part = malloc(size + 1);
            memcpy(part, repeats.body, size);
            if (i < size)
                part[i] ^= (uint8_t)change;
            pychoral_repeats_read(&reader, part, size);
            while (pychoral_repeats_next(&reader, &name, &length, &number))
                ck_assert_uint_le(length, size);
            pychoral_repeats_read(&reader, NULL, 0);
            free(part);
        }
    }
}
END_TEST

START_TEST(what_was_sent_comes_back)
{
    PychoralJournal *journal = open_journal();
    PychoralFrame one[] = {frame("ab"), frame("c")}, same[] = {frame("abc")};
    PychoralSentTo sent = {0};
    uint8_t first[PYCHORAL_SENT_ENTRY], other[PYCHORAL_SENT_ENTRY];
    pychoral_sent_entry(first, PYCHORAL_DATA, 3, 0, one, 2);
    pychoral_sent_entry(other, PYCHORAL_DATA, 3, 0, same, 1);
    ck_assert_mem_eq(first, other, sizeof first);
    uint8_t record[PYCHORAL_SENT_RECORD];
    for (int i = 0; i < 200; i++) {
        pychoral_sent_note(&sent, first, record);
        ck_assert(pychoral_journal_add_sent(journal, "Alice", record, sizeof record, &fault));
    }
    ck_assert(pychoral_journal_is_forced(journal));     // it can be computed again, but is written
    pychoral_journal_close(journal);
    pychoral_journal_close(open_journal());
    ck_assert_uint_eq(known.before, 200);
    ck_assert_mem_eq(pychoral_sent_known(&known, 200), first, sizeof first);
}
END_TEST

START_TEST(a_gap_in_what_was_sent_is_no_history)
{
    PychoralJournal *journal = open_journal();
    uint8_t record[PYCHORAL_SENT_RECORD] = {[7] = 2};
    ck_assert(pychoral_journal_add_sent(journal, "Alice", record, sizeof record, &fault));
    pychoral_journal_close(journal);
    check_refused("cannot be decoded", 76);
}
END_TEST

START_TEST(damage_before_the_end_is_refused)
{
    fill(false);
    uint8_t bytes[1024];
    size_t size = read_bytes(bytes, sizeof bytes);
    bytes[FIRST + 20] ^= 1;
    write_bytes(bytes, size);
    check_refused("is damaged", 76);
}
END_TEST

START_TEST(an_incarnation_that_none_can_follow)
{
    fill(false);
    uint8_t bytes[1024], record[17] = {0, 0, 0, 9, 0, 0, 0, 0, 1};
    char text[64];
    size_t size = read_bytes(bytes, sizeof bytes);
    memset(record + 9, 0xff, 8);
    unsigned long sum = crc32(0, record + 8, 9);
    for (int i = 0; i < 4; i++)
        record[4 + i] = (uint8_t)(sum >> (24 - 8 * i));
    memcpy(bytes + size, record, sizeof record);
    write_bytes(bytes, size + sizeof record);
    snprintf(text, sizeof text, "the record at byte %zu cannot be decoded", size);
    check_refused(text, 76);
}
END_TEST

START_TEST(damage_to_a_length_is_damage)
{
    fill(false);
    uint8_t bytes[1024];
    char text[64];
    size_t size = read_bytes(bytes, sizeof bytes);
    snprintf(text, sizeof text, "the record at byte %d is damaged", FIRST);
    for (size_t i = FIRST; i < FIRST + 4; i++) {
        for (unsigned change = 1; change < 256; change *= 2) {
            bytes[i] ^= (uint8_t)change;
            write_bytes(bytes, size);
            check_refused(text, 76);
            bytes[i] ^= (uint8_t)change;
        }
    }
}
END_TEST

// What is spoken of while the successor reads would be lost.
START_TEST(nothing_is_promised_that_a_successor_has_not_read)
{
    fill(false);
    rival = open_journal();
    PychoralJournal *old = rival;
    PychoralJournal *new = open_journal();
    rival = NULL;
    ck_assert_ptr_nonnull(new);
    pychoral_journal_close(old);
    pychoral_journal_close(new);
}
END_TEST

START_TEST(a_refusal_does_not_disturb_who_has_it)
{
    PychoralFrame one[] = {frame("one")};
    PychoralJournal *old = open_journal();
    mine.run = "other";
    check_refused("it belongs to the run run, but this is the run other", 77);
    mine.run = "run";
    ck_assert(pychoral_journal_add_message(old, "Alice", one, 1, &fault));
    ck_assert(pychoral_journal_force(old, &fault));
    pychoral_journal_close(old);
    pychoral_journal_close(open_journal());
    ck_assert_str_eq(told, "m Alice one;");
}
END_TEST

START_TEST(killed_behind_the_mark)
{
    fill(false);
    ck_assert_int_eq(chmod(path, 0400), 0);
    PychoralJournal *journal = open_journal();
    ck_assert_ptr_nonnull(journal);
    struct stat found;
    ck_assert_int_eq(stat(path, &found), 0);
    ck_assert_uint_eq(found.st_mode & 0777, 0600);
    pychoral_journal_close(journal);
}
END_TEST

START_TEST(earlier_process_spoils_nothing)
{
    PychoralFrame one[] = {frame("one")}, two[] = {frame("two")};
    PychoralJournal *old = open_journal();
    PychoralJournal *new = open_journal();
    ck_assert(pychoral_journal_add_message(old, "Alice", one, 1, &fault));
    ck_assert(!pychoral_journal_force(old, &fault));  // nobody may be told that it is safe
    ck_assert_ptr_nonnull(strstr(fault.text, "a newer process"));
    ck_assert_int_eq(fault.status, 77);
    ck_assert(pychoral_journal_add_message(new, "Alice", two, 1, &fault));
    ck_assert(pychoral_journal_force(new, &fault));
    pychoral_journal_close(old);
    pychoral_journal_close(new);
    pychoral_journal_close(open_journal());
    ck_assert_str_eq(told, "m Alice two;");
}
END_TEST

// Killed between making the fresh file and putting it in place; the number comes again (pid 1).
START_TEST(half_way_is_no_obstacle)
{
    char fresh[96];
    snprintf(fresh, sizeof fresh, "%s.%ld.new", path, (long)getpid());
    fclose(fopen(fresh, "w"));
    PychoralJournal *journal = open_journal();
    ck_assert_msg(journal, "%s", fault.text);
    ck_assert_int_ne(access(fresh, F_OK), 0);
    pychoral_journal_close(journal);
}
END_TEST

START_TEST(what_is_no_file_is_refused)
{
    ck_assert_int_eq(mkfifo(path, 0600), 0);
    check_refused("it is not a regular file", 77);
}
END_TEST

START_TEST(a_link_stays_a_link)
{
    struct stat found;
    char real[sizeof path + 8];
    fill(false);
    snprintf(real, sizeof real, "%s.real", path);
    ck_assert_int_eq(rename(path, real), 0);
    ck_assert_int_eq(symlink(real, path), 0);
    pychoral_journal_close(open_journal());
    ck_assert_int_eq(lstat(path, &found), 0);
    ck_assert(S_ISLNK(found.st_mode));
    ck_assert_int_eq(rename(real, path), 0);
    PychoralJournal *journal = open_journal();
    ck_assert_uint_eq(pychoral_journal_incarnation(journal), 3);
    pychoral_journal_close(journal);
}
END_TEST

START_TEST(private_from_the_start)
{
    umask(0);
    pychoral_journal_close(open_journal());
    struct stat found;
    ck_assert_int_eq(stat(path, &found), 0);
    ck_assert_uint_eq(found.st_mode & 0777, 0600);
}
END_TEST

START_TEST(full_disk_is_said)
{
    PychoralJournal *journal = open_journal();
    struct rlimit limit = {512, 512};
    signal(SIGXFSZ, SIG_IGN);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    char large[4096] = {0};
    ck_assert(pychoral_journal_add_effect(journal, "x", large, sizeof large, &fault));
    ck_assert(!pychoral_journal_force(journal, &fault));
    ck_assert_msg(strstr(fault.text, "cannot grow: File too large"), "%s", fault.text);
    ck_assert_int_eq(fault.status, 75);
    pychoral_journal_close(journal);
}
END_TEST

Suite *journal_suite(void);
Suite *journal_suite(void)
{
    Suite *suite = suite_create("journal");
    TCase *tests = tcase_create("journal");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, forced_comes_back);
    tcase_add_test(tests, end_is_remembered);
    tcase_add_test(tests, same_bytes_as_python);
    tcase_add_test(tests, torn_tails_are_cut);
    tcase_add_test(tests, changed_bytes_change_no_history);
    tcase_add_test(tests, journals_of_others_are_refused);
    tcase_add_test(tests, damage_before_the_end_is_refused);
    tcase_add_test(tests, an_incarnation_that_none_can_follow);
    tcase_add_test(tests, damage_to_a_length_is_damage);
    tcase_add_test(tests, earlier_process_spoils_nothing);
    tcase_add_test(tests, half_way_is_no_obstacle);
    tcase_add_test(tests, what_is_no_file_is_refused);
    tcase_add_test(tests, a_link_stays_a_link);
    tcase_add_test(tests, private_from_the_start);
    tcase_add_test(tests, full_disk_is_said);
    tcase_add_test(tests, other_options_are_refused);
    tcase_add_test(tests, any_identity_is_read_safely);
    tcase_add_test(tests, numbers_come_back);
    tcase_add_test(tests, many_numbers_come_back);
    tcase_add_test(tests, any_bytes_are_read_or_refused);
    tcase_add_test(tests, what_was_sent_comes_back);
    tcase_add_test(tests, a_gap_in_what_was_sent_is_no_history);
    tcase_add_test(tests, nothing_is_promised_that_a_successor_has_not_read);
    tcase_add_test(tests, a_refusal_does_not_disturb_who_has_it);
    tcase_add_test(tests, killed_behind_the_mark);
    suite_add_tcase(suite, tests);
    return suite;
}
