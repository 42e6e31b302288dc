// nbody.c - nbody.pyc by hand: both systems in one process, bodies as structs in an array.

#include <math.h>

#include "by_hand.h"

enum { BODIES = 5 };

typedef struct { double x, y, z, vx, vy, vz, mass; } Body;

static void planets(Body *bodies)
{
    static const Body start[BODIES] = {
        {0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0},
        {4.84143144246472090, -1.16032004402742839, -0.103622044471123109,
         0.00166007664274403694, 0.00769901118419740425, -0.0000690460016972063023,
         0.000954791938424326609},
        {8.34336671824457987, 4.12479856412430479, -0.403523417114321381,
         -0.00276742510726411, 0.00499852801234917238, 0.0000230417297573763929,
         0.000285885980666130812},
        {12.8943695621391310, -15.1111514016986312, -0.223307578892655734,
         0.00296460137564761618, 0.00237847173959480950, -0.0000296589568540237556,
         0.0000436624404335156298},
        {15.3796971148509165, -25.9193146099879641, 0.179258772950371181,
         0.00268067772490389322, 0.00162824170038242295, -0.0000951592254519715870,
         0.0000515138902046611451},
    };
    for (int i = 0; i < BODIES; i++) {
        bodies[i] = start[i];
        bodies[i].vx *= 365.24;
        bodies[i].vy *= 365.24;
        bodies[i].vz *= 365.24;
        bodies[i].mass *= 39.47841760435743;
    }
}

static void advance(Body *bodies, double dt)
{
    for (int i = 0; i < BODIES; i++) {
        Body *a = &bodies[i];
        for (int j = i + 1; j < BODIES; j++) {
            Body *b = &bodies[j];
            double dx = a->x - b->x, dy = a->y - b->y, dz = a->z - b->z;
            double square = dx * dx + dy * dy + dz * dz;
            double force = dt / (square * sqrt(square));
            a->vx -= dx * b->mass * force;
            a->vy -= dy * b->mass * force;
            a->vz -= dz * b->mass * force;
            b->vx += dx * a->mass * force;
            b->vy += dy * a->mass * force;
            b->vz += dz * a->mass * force;
        }
    }
    for (int i = 0; i < BODIES; i++) {
        bodies[i].x += dt * bodies[i].vx;
        bodies[i].y += dt * bodies[i].vy;
        bodies[i].z += dt * bodies[i].vz;
    }
}

static double energy(const Body *bodies)
{
    double sum = 0;
    for (int i = 0; i < BODIES; i++) {
        const Body *a = &bodies[i];
        sum += 0.5 * a->mass * (a->vx * a->vx + a->vy * a->vy + a->vz * a->vz);
        for (int j = i + 1; j < BODIES; j++) {
            const Body *b = &bodies[j];
            double dx = a->x - b->x, dy = a->y - b->y, dz = a->z - b->z;
            sum -= a->mass * b->mass / sqrt(dx * dx + dy * dy + dz * dz);
        }
    }
    return sum;
}

static double run(int64_t steps, double dt)
{
    Body bodies[BODIES];
    planets(bodies);
    for (int64_t i = 0; i < steps; i++)
        advance(bodies, dt);
    return energy(bodies);
}

int main(int argc, char **argv)
{
    int64_t steps = amount(argc, argv);
    double began = cpu_seconds(), mine = run(steps, 0.001), theirs = run(steps, 0.002);
    printf("cpu %.9f\n", cpu_seconds() - began);
    printf("result %.17g %.17g\n", mine, theirs);
    return 0;
}
