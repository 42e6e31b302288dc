"""k-means: each point belongs to its nearest centroid. The Hessian by the centroids is diagonal, so
the gradient of the sum of the gradient is its diagonal."""

import numpy as np

from pychoral.ad import Array, Float, grad


def objective(centroids: Float[Array, "k d"], points: Float[Array, "n d"]) -> float:
    apart = np.sum((points[:, None, :] - centroids[None, :, :]) ** 2, axis=2)
    return np.sum(np.min(apart, axis=1))


def slope(centroids: Float[Array, "k d"], points: Float[Array, "n d"]) -> float:
    by_centroids, _ = grad(objective)(centroids, points)
    return np.sum(by_centroids)
