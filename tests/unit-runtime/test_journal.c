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

#include "journal.h"

static char folder[] = "/tmp/pychoral-journal-XXXXXX";
static char path[64];
static PychoralIdentity mine;
static PychoralFault fault;

// What a journal tells, as text: `m Alice head1,value;` and `e 7 1;` (the size of the result).
static char told[4096];

static bool tell_message(void *context, const char *peer, const PychoralFrame *frames, size_t count)
{
    (void)context;
    size_t used = strlen(told);
    used += (size_t)snprintf(told + used, sizeof told - used, "m %s ", peer);
    for (size_t i = 0; i < count; i++)
        used += (size_t)snprintf(told + used, sizeof told - used, "%.*s%s", (int)frames[i].size,
                                 (const char *)frames[i].data, i + 1 < count ? "," : ";");
    return true;
}

static bool tell_effect(void *context, uint32_t site, const void *result, size_t size)
{
    (void)context;
    (void)result;
    size_t used = strlen(told);
    snprintf(told + used, sizeof told - used, "e %u %zu;", (unsigned)site, size);
    return true;
}

static const PychoralHistory history = {NULL, tell_message, tell_effect};

static void setup(void)
{
    strcpy(folder, "/tmp/pychoral-journal-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/j", folder);
    memset(mine.protocol, 'p', sizeof mine.protocol);
    memset(mine.run_id, 'r', sizeof mine.run_id);
    mine.role = "Bob";
}

static void teardown(void)
{
    unlink(path);
    rmdir(folder);
}

static PychoralJournal *open_journal(void)
{
    told[0] = '\0';
    return pychoral_journal_open(path, &mine, &history, &fault);
}

static PychoralFrame frame(const char *text)
{
    return (PychoralFrame){text, strlen(text), NULL};
}

static void fill(bool with_end)
{
    PychoralJournal *journal = open_journal();
    ck_assert_ptr_nonnull(journal);
    PychoralFrame first[] = {frame("head1"), frame("value")};
    PychoralFrame second[] = {frame("head2"), frame("")};
    ck_assert(pychoral_journal_add_message(journal, "Alice", first, 2, &fault));
    ck_assert(pychoral_journal_add_effect(journal, 7, "\x01", 1, &fault));
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
    ck_assert_str_eq(told, "m Alice head1,value;e 7 1;m Älice head2,;");
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
    for (size_t i = 0; i < size; i++) {
        ck_assert_int_eq(fscanf(file, "%2x", &byte), 1);
        ck_assert_uint_eq(bytes[i], byte);
    }
    ck_assert_int_eq(fscanf(file, "%2x", &byte), EOF);
    fclose(file);
}
END_TEST

enum { LAST_SIZE = 9 + 2 + 6 + 2 + 8 + 5 };     // of the last record of `fill`

START_TEST(torn_tails_are_cut)
{
    fill(false);
    uint8_t bytes[1024];
    size_t size = read_bytes(bytes, sizeof bytes);
    for (size_t cut = 1; cut < 30; cut++) {
        write_bytes(bytes, size - cut);
        PychoralJournal *journal = open_journal();
        ck_assert_msg(journal, "%zu: %s", cut, fault.text);
        ck_assert_str_eq(told, "m Alice head1,value;e 7 1;");
        ck_assert_uint_eq(pychoral_journal_cut(journal), LAST_SIZE - cut);
        pychoral_journal_close(journal);
    }
}
END_TEST

// Whatever byte changes, what is told is a part of the history from its beginning.
START_TEST(changed_bytes_change_no_history)
{
    static const char whole[] = "m Alice head1,value;e 7 1;m Älice head2,;";
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
    check_refused("another role", 77);
    mine.run_id[0] = 's';
    check_refused("another run", 77);
    mine.protocol[0] = 'q';
    check_refused("another program", 76);
    write_bytes((const uint8_t *)"my thesis, do not lose", 22);
    check_refused("it is no journal", 76);
    uint8_t bytes[64];
    ck_assert_uint_eq(read_bytes(bytes, sizeof bytes), 22);
}
END_TEST

START_TEST(damage_before_the_end_is_refused)
{
    fill(false);
    uint8_t bytes[1024];
    size_t size = read_bytes(bytes, sizeof bytes);
    bytes[8 + 58 + 8 + 9 + 20] ^= 1;
    write_bytes(bytes, size);
    check_refused("is damaged", 76);
}
END_TEST

START_TEST(damage_to_a_length_is_damage)
{
    fill(false);
    uint8_t bytes[1024];
    size_t size = read_bytes(bytes, sizeof bytes), place = 8 + 58 + 8 + 9;
    for (size_t i = place; i < place + 4; i++) {
        for (unsigned change = 1; change < 256; change *= 2) {
            bytes[i] ^= (uint8_t)change;
            write_bytes(bytes, size);
            check_refused("the record at byte 83 is damaged", 76);
            bytes[i] ^= (uint8_t)change;
        }
    }
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
    check_refused("it is no file", 77);
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
    ck_assert(pychoral_journal_add_effect(journal, 0, large, sizeof large, &fault));
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
    tcase_add_test(tests, damage_to_a_length_is_damage);
    tcase_add_test(tests, earlier_process_spoils_nothing);
    tcase_add_test(tests, half_way_is_no_obstacle);
    tcase_add_test(tests, what_is_no_file_is_refused);
    tcase_add_test(tests, private_from_the_start);
    tcase_add_test(tests, full_disk_is_said);
    suite_add_tcase(suite, tests);
    return suite;
}
