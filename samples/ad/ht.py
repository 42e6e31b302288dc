"""Hand tracking: a skeleton of 22 bones, posed by 26 parameters, moves a skinned mesh.

The parameters are a global rotation, a global translation, and four angles for each finger.
`residuals` has the distance of each point from the vertex that belongs to it.
"""

import numpy as np

from pychoral.ad import Array, Float, Int

PARENTS = [-1, 0] + [0 if b % 4 == 2 else b - 1 for b in range(2, 22)]


def _rotation(x, y, z):
    cx, sx, cy, sy, cz, sz = np.cos(x), np.sin(x), np.cos(y), np.sin(y), np.cos(z), np.sin(z)
    about_x = np.array([[1.0, 0.0, 0.0], [0.0, cx, -sx], [0.0, sx, cx]])
    about_y = np.array([[cy, 0.0, sy], [0.0, 1.0, 0.0], [-sy, 0.0, cy]])
    about_z = np.array([[cz, -sz, 0.0], [sz, cz, 0.0], [0.0, 0.0, 1.0]])
    return about_z @ about_y @ about_x


def _about_axis(r):
    square = np.sum(r * r)
    if square < 0.0001 ** 2:
        return np.eye(3)
    theta = np.sqrt(square)
    a = r / theta
    c, s = np.cos(theta), np.sin(theta)
    cross = np.array([[0.0, -a[2], a[1]], [a[2], 0.0, -a[0]], [-a[1], a[0], 0.0]])
    return c * np.eye(3) + s * cross + (1.0 - c) * np.outer(a, a)


def _angles(theta):
    angles = [(0.0, 0.0, 0.0), (0.0, 0.0, 0.0)]
    for finger in range(5):
        first = 6 + 4 * finger
        angles += [(theta[first], theta[first + 1], 0.0), (theta[first + 2], 0.0, 0.0),
                   (theta[first + 3], 0.0, 0.0), (0.0, 0.0, 0.0)]
    return angles


def residuals(theta: Float[Array, "26"], relatives: Float[Array, "22 4 4"],
              inverses: Float[Array, "22 4 4"], base: Float[Array, "v 4"],
              weights: Float[Array, "22 v"], points: Float[Array, "c 3"],
              vertices: Int[Array, "c"]):
    absolutes = []
    corner = np.eye(4)[3:]
    for bone, (x, y, z) in enumerate(_angles(theta)):
        turn = np.vstack([np.hstack([_rotation(x, y, z), np.zeros((3, 1))]), corner])
        own = relatives[bone] @ turn
        absolutes.append(own if PARENTS[bone] < 0 else absolutes[PARENTS[bone]] @ own)
    transforms = np.einsum("bij,bjk->bik", np.stack(absolutes), inverses)
    skinned = np.einsum("bv,bij,vj->vi", weights, transforms, base)[:, :3]
    placed = skinned @ _about_axis(theta[0:3]).T + theta[3:6]
    return points - placed[vertices]


def cost(theta: Float[Array, "26"], relatives: Float[Array, "22 4 4"],
         inverses: Float[Array, "22 4 4"], base: Float[Array, "v 4"],
         weights: Float[Array, "22 v"], points: Float[Array, "c 3"],
         vertices: Int[Array, "c"]) -> float:
    errors = residuals(theta, relatives, inverses, base, weights, points, vertices)
    return 0.5 * np.sum(errors ** 2)
