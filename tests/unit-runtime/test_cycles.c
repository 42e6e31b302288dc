// test_cycles.c - circles of objects: found and freed, but none that is in use.

#include <check.h>
#include <stdlib.h>

#include "allocations.h"
#include "value.h"

enum { MANY = 10000, MOST_OPEN = 6000 };

typedef struct Node {
    PychoralObject object;
    struct Node *next;
    PychoralList *others;
} Node;

static const PychoralType NODE;
static const PychoralType NODES = {
    .kind = PYCHORAL_LIST, .size = sizeof(PychoralList *), .name = "list[Node]", .element = &NODE};
static const PychoralField FIELDS[] = {
    {.type = &NODE, .offset = offsetof(Node, next), .name = "next"},
    {.type = &NODES, .offset = offsetof(Node, others), .name = "others"},
};
static const PychoralType NODE = {
    .kind = PYCHORAL_DATACLASS, .size = sizeof(Node *), .body = sizeof(Node), .name = "Node",
    .flags = PYCHORAL_CYCLIC, .count = 2, .fields = FIELDS};

static void release(Node *node) { pychoral_release(&NODE, &node); }

static Node *kept(Node *node)
{
    pychoral_retain(&NODE, &node);
    return node;
}

// Two nodes: one leads to the other by a field, that one back by a list that both have. The
// caller owns the first.
static Node *ring(void)
{
    Node *first = pychoral_object_new(&NODE), *second = pychoral_object_new(&NODE);
    Node *back = kept(first);
    first->next = second;
    first->others = pychoral_list_new(&NODES, 1);
    pychoral_list_append(first->others, &back);
    second->others = first->others;
    pychoral_retain(&NODES, &second->others);
    return first;
}

static void break_open(Node *node)
{
    Node *next = node->next;
    node->next = NULL;
    release(next);
    pychoral_release(&NODES, &node->others);
    node->others = NULL;
    release(node);
}

START_TEST(garbage_is_freed)
{
    long before = allocations_open();
    for (int i = 0; i < MANY; i++)
        release(ring());
    ck_assert_int_lt(allocations_open() - before, MOST_OPEN);
}
END_TEST

START_TEST(what_is_in_use_stays)
{
    Node *used[50];
    for (int i = 0; i < 50; i++)
        used[i] = ring();
    for (int i = 0; i < MANY; i++)
        release(ring());
    for (int i = 0; i < 50; i++) {
        ck_assert_ptr_eq(used[i]->others, used[i]->next->others);
        ck_assert_ptr_eq(*(Node **)used[i]->others->items, used[i]);
        ck_assert_uint_eq(used[i]->object.head.refs, 2);
        break_open(used[i]);
    }
}
END_TEST

START_TEST(a_list_in_use_holds_its_nodes)
{
    Node *first = ring();
    PychoralList *others = first->others;
    pychoral_retain(&NODES, &others);
    release(first);
    for (int i = 0; i < MANY; i++)
        release(ring());
    ck_assert_ptr_eq(*(Node **)others->items, first);
    ck_assert_ptr_eq(first->next->others, others);
    pychoral_release(&NODES, &others);
}
END_TEST

// A search needs memory; without it nothing is freed, and later it is.
START_TEST(memory_that_runs_out_is_no_end)
{
    long before = allocations_open();
    for (long left = 0; left < 8; left++)
        for (int i = 0; i < MANY / 8; i++) {
            allocations_fail_after(left);
            Node *node = pychoral_object_new(&NODE);
            allocations_fail_after(-1);
            if (node != NULL)
                release(node);
            release(ring());
        }
    for (int i = 0; i < 4 * MANY; i++)
        release(ring());
    ck_assert_int_lt(allocations_open() - before, 4 * MOST_OPEN);
}
END_TEST

Suite *cycles_suite(void);

Suite *cycles_suite(void)
{
    Suite *suite = suite_create("cycles");
    TCase *circles = tcase_create("circles");
    tcase_add_test(circles, garbage_is_freed);
    tcase_add_test(circles, what_is_in_use_stays);
    tcase_add_test(circles, a_list_in_use_holds_its_nodes);
    tcase_add_test(circles, memory_that_runs_out_is_no_end);
    suite_add_tcase(suite, circles);
    return suite;
}
