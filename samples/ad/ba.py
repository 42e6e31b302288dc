"""Bundle adjustment: reprojection errors. Observation i sees point i mod m by camera i mod n.

A camera is a rotation r[3], a centre C[3], a focal length, a principal point [2] and two radial
distortions. `residuals` has two errors for each observation; `cost` is half the sum of all squares.
"""

import numpy as np

from pychoral.ad import Array, Float, build


def _rotated(r, p):
    square = np.sum(r * r)
    around = np.cross(r, p)
    if square > 0.0:
        theta = np.sqrt(square)
        axis = r / theta
        c, s = np.cos(theta), np.sin(theta)
        return p * c + np.cross(axis, p) * s + axis * (axis @ p) * (1.0 - c)
    return p + around


def _error(camera, point, weight, feature):
    y = _rotated(camera[0:3], point - camera[3:6])
    uv = y[:2] / y[2]
    s = np.sum(uv * uv)
    distortion = 1.0 + camera[9] * s + camera[10] * s * s
    return weight * (camera[6] * distortion * uv + camera[7:9] - feature)


def residuals(cameras: Float[Array, "n 11"], points: Float[Array, "m 3"], w: Float[Array, "p"],
              features: Float[Array, "p 2"]):
    n, m = cameras.shape[0], points.shape[0]
    return build(w.shape[0], lambda i: _error(cameras[i % n], points[i % m], w[i], features[i]))


def cost(cameras: Float[Array, "n 11"], points: Float[Array, "m 3"], w: Float[Array, "p"],
         features: Float[Array, "p 2"]) -> float:
    errors = residuals(cameras, points, w, features)
    return 0.5 * np.sum(errors ** 2) + 0.5 * np.sum((1.0 - w * w) ** 2)
