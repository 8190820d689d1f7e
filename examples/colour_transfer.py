# SPDX-License-Identifier: MIT
"""
Colour transfer between two pictures
====================================

The colours of a picture are points in three dimensions. `LocalTransport` maps the colours of one
picture to those of another. Its default, the soft map, moves similar colours alike, so that smooth
surfaces stay smooth. Both pictures are computed. Run `python colour_transfer.py [picture.png]`.
"""

import sys

import matplotlib
import matplotlib.pyplot as plt
import numpy as np

from lbw import LocalTransport
from lbw.metrics import sliced_wasserstein

matplotlib.use("Agg")


def landscape(seed, high_sky, low_sky, sun, hills, water):
    """Paint a sky with a sun, two ranges of hills, and water."""
    rng = np.random.default_rng(seed)
    y, x = np.mgrid[0:240, 0:320] / 240
    x0, y0 = rng.uniform(0.3, 1.0), rng.uniform(0.15, 0.3)
    glow = np.exp(-((x - x0) ** 2 + (y - y0) ** 2) / 0.015)[..., None]
    sky = high_sky + (low_sky - high_sky) * np.clip(1.8 * y, 0, 1)[..., None]
    picture = glow * sun + (1 - glow) * sky
    for height, depth in ((0.45, 0.5), (0.56, 1.0)):
        ridge = height + sum(0.06 / k * np.sin(4 * k * x + rng.uniform(0, 6)) for k in (1, 2, 4))
        shade = depth * hills * (1.3 - 0.6 * (y - ridge))[..., None] + (1 - depth) * low_sky
        picture = np.where((y > ridge)[..., None], shade, picture)
    ripples = 0.5 + 0.5 * np.sin(110 * y**1.5 + 3 * np.sin(5 * x + 20 * y))
    mirrored = water + (low_sky - water) * (0.7 * ripples * (1.1 - y))[..., None]
    picture = np.where((y > 0.72)[..., None], mirrored, picture)
    return np.clip(picture + rng.normal(scale=0.012, size=picture.shape), 0, 1)


# %%
# Paint a day and an evening, fit one mixture of ten colours to each, and exchange their colours.

day = [[0.2, 0.45, 0.85], [0.8, 0.9, 0.98], [1, 1, 0.88], [0.2, 0.5, 0.18], [0.1, 0.3, 0.5]]
dusk = [[0.3, 0.14, 0.42], [1, 0.55, 0.25], [1, 0.92, 0.5], [0.3, 0.15, 0.16], [0.2, 0.1, 0.3]]
day, dusk = (landscape(s, *np.array(c)).reshape(-1, 3) for s, c in ((1, day), (4, dusk)))
X, groups = np.concatenate([day, dusk]), np.repeat(["day", "dusk"], len(day))
transport = LocalTransport(n_components=10).fit(X, groups)
evening, morning = transport.transform(day, "day", "dusk"), transport.transform(dusk, "dusk", "day")
for name, colours in (("day", day), ("day, transferred", evening)):
    distance = sliced_wasserstein(colours[::20], dusk[::20], n_permutations=0)
    print(f"{name:16} distance of its colours to those of dusk: {distance.value:.3f}")

figure, axes = plt.subplots(2, 2, figsize=(8, 6.4), layout="constrained")
titles = ("day", "day, colours of dusk", "dusk", "dusk, colours of day")
for ax, picture, title in zip(axes.flat, (day, evening, dusk, morning), titles, strict=True):
    ax.imshow(np.clip(picture, 0, 1).reshape(240, 320, 3))
    ax.set(title=title, xticks=[], yticks=[])
figure.savefig(sys.argv[1] if len(sys.argv) > 1 else "colour_transfer.png", dpi=100)
