// test_descriptor.c - a silent connection is ended, and no other one that has its descriptor.
//
// That a frozen peer is noticed, at either end, is fault 16 of tests/faults.

#include <check.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdbool.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "descriptor.h"

typedef struct {
    int dialled, accepted;
} Connection;

static Connection connection(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET};
    socklen_t size = sizeof address;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    ck_assert_int_eq(bind(listener, (struct sockaddr *)&address, size), 0);
    ck_assert_int_eq(listen(listener, 1), 0);
    ck_assert_int_eq(getsockname(listener, (struct sockaddr *)&address, &size), 0);
    Connection made = {.dialled = socket(AF_INET, SOCK_STREAM, 0)};
    ck_assert_int_eq(connect(made.dialled, (struct sockaddr *)&address, size), 0);
    made.accepted = accept(listener, NULL, NULL);
    ck_assert_int_ge(made.accepted, 0);
    close(listener);
    return made;
}

static void end(Connection made)
{
    close(made.dialled);
    close(made.accepted);
}

static bool is_open(Connection made)
{
    char byte;
    return recv(made.dialled, &byte, 1, MSG_DONTWAIT) < 0;
}

// On a busy machine the end takes a while to come.
static bool comes_to_its_end(Connection made)
{
    struct pollfd end = {.fd = made.dialled, .events = POLLIN};
    return poll(&end, 1, 3000) == 1 && !is_open(made);
}

static bool can_never_send(Connection made)
{
    return send(made.accepted, "x", 1, MSG_DONTWAIT | MSG_NOSIGNAL) < 0 && errno == EPIPE;
}

START_TEST(only_a_silent_one_is_ended)
{
    Connection made = connection();
    PychoralDescriptor descriptor = pychoral_descriptor_of(made.accepted);
    ck_assert(descriptor.cookie != 0);
    pychoral_descriptor_end_silent(&descriptor, 10000, PYCHORAL_SILENCE_MS);
    ck_assert(is_open(made));
    pychoral_descriptor_end_silent(&descriptor, 10000, 0);
    ck_assert(comes_to_its_end(made));
    end(made);
}
END_TEST

// A message of many megabytes may take long; one that no longer moves is silent.
START_TEST(one_that_sends)
{
    static const char much[1 << 16];
    struct timespec pause = {0, 10000000};
    uint64_t now = 10000;
    Connection made = connection();
    PychoralDescriptor descriptor = pychoral_descriptor_of(made.accepted);
    while (send(made.accepted, much, sizeof much, MSG_DONTWAIT) > 0)
        ;
    nanosleep(&pause, NULL);
    pychoral_descriptor_end_silent(&descriptor, now, 5);        // it has moved
    ck_assert(!can_never_send(made));
    do {                                // until it has not, since: the kernel takes its time
        nanosleep(&pause, NULL);
        pychoral_descriptor_end_silent(&descriptor, now += 10000, 5);
    } while (!can_never_send(made) && now < 3000000);
    ck_assert(can_never_send(made));
    end(made);
}
END_TEST

START_TEST(the_descriptor_is_anothers)
{
    Connection made = connection(), other = connection();
    PychoralDescriptor descriptor = pychoral_descriptor_of(made.accepted);
    ck_assert_int_eq(dup2(other.accepted, made.accepted), made.accepted);
    pychoral_descriptor_end_silent(&descriptor, 10000, 0);
    pychoral_descriptor_end(&descriptor);
    ck_assert(is_open(other));
    end(made);
    end(other);
}
END_TEST

START_TEST(what_is_not_tcp)
{
    int pair[2];
    char byte;
    ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
    PychoralDescriptor descriptor = pychoral_descriptor_of(pair[0]);
    ck_assert(descriptor.cookie != 0);
    pychoral_descriptor_end_silent(&descriptor, 10000, 0);      // when something came is not known
    ck_assert_int_lt(recv(pair[1], &byte, 1, MSG_DONTWAIT), 0);
    pychoral_descriptor_end(&descriptor);
    ck_assert_int_eq(recv(pair[1], &byte, 1, MSG_DONTWAIT), 0);
    close(pair[0]);
    pychoral_descriptor_end(&descriptor);
    ck_assert(pychoral_descriptor_of(pair[0]).cookie == 0);
    ck_assert(pychoral_descriptor_of(-1).cookie == 0);
    close(pair[1]);
}
END_TEST

Suite *descriptor_suite(void);

Suite *descriptor_suite(void)
{
    Suite *suite = suite_create("descriptor");
    TCase *tests = tcase_create("descriptor");
    tcase_add_test(tests, only_a_silent_one_is_ended);
    tcase_add_test(tests, one_that_sends);
    tcase_add_test(tests, the_descriptor_is_anothers);
    tcase_add_test(tests, what_is_not_tcp);
    suite_add_tcase(suite, tests);
    return suite;
}
