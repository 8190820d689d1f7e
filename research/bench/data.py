# SPDX-License-Identifier: MIT
"""Inputs: files that are generated once from seeds and read by every worker.

A mixture has k Gaussians in d dimensions with random full covariances (a Wishart draw of 2 d
degrees of freedom divided by 2 d, so that variances are about 1), uniform weights between 0.5 and
1.5 that are then normalized, and normal means. The means are spread so that the best possible
classifier mislabels one sample in ten.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from common.files import replacing

from .peers.inputs import Array, Mixture, mixture, save_mixture

OVERLAP = 0.1  # fraction of samples that even the true mixture mislabels
PILOT = 2000  # samples on which the overlap is measured
CHUNK = 1_000_000  # samples drawn at a time


def draw(model: Mixture, n_samples: int, random: np.random.Generator) -> Array:
    """Draw samples from a mixture, in random order."""
    labels = random.choice(len(model.weights), size=n_samples, p=model.weights)
    normal = random.standard_normal((n_samples, model.means.shape[1]))
    factors = np.linalg.cholesky(model.covariances)
    samples = np.empty_like(normal)
    for component, factor in enumerate(factors):
        rows = np.flatnonzero(labels == component)
        samples[rows] = normal[rows] @ factor.T + model.means[component]
    return samples


def expected_error(model: Mixture, samples: Array) -> float:
    """Return the mean of 1 - max responsibility."""
    logs = np.empty((len(samples), len(model.weights)))
    for i, factor in enumerate(np.linalg.cholesky(model.covariances)):
        white = np.linalg.solve(factor, (samples - model.means[i]).T)
        logs[:, i] = np.log(model.weights[i]) - np.log(np.diag(factor)).sum()
        logs[:, i] -= 0.5 * np.square(white).sum(axis=0)
    logs -= logs.max(axis=1, keepdims=True)
    return float(np.mean(1.0 - 1.0 / np.exp(logs).sum(axis=1)))


def random_mixture(d: int, k: int, seed: int) -> Mixture:
    """Draw a mixture as described above."""
    random = np.random.default_rng([seed, d, k])
    factors = random.standard_normal((k, d, 2 * d))
    covariances = factors @ factors.swapaxes(1, 2) / (2 * d)
    weights = random.uniform(0.5, 1.5, k)
    weights /= weights.sum()
    directions = random.standard_normal((k, d))
    low, high = 0.0, 100.0
    for _ in range(24):
        middle = 0.5 * (low + high)
        model = Mixture(weights, middle * directions, covariances)
        pilot = draw(model, PILOT, np.random.default_rng([seed, d, k, 1]))
        low, high = (middle, high) if expected_error(model, pilot) > OVERLAP else (low, middle)
    return model


@dataclass(frozen=True)
class Store:
    """A folder of inputs. Existing files are not generated again."""

    folder: Path

    def __post_init__(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)

    def mixture(self, d: int, k: int, seed: int) -> str:
        """Return the prefix of the files of a mixture."""
        prefix = str(self.folder / f"mixture_d{d}_k{k}_s{seed}")
        if not Path(f"{prefix}.covariances.npy").exists():
            save_mixture(prefix, random_mixture(d, k, seed))
        return prefix

    def start(self, d: int, k: int, seed: int) -> str:
        """Return a mixture near the true one, with perturbed means and equal weights."""
        prefix = f"{self.mixture(d, k, seed)}_start"
        if not Path(f"{prefix}.covariances.npy").exists():
            true = mixture(self.mixture(d, k, seed))
            moved = np.random.default_rng([seed, d, k, 2]).standard_normal(true.means.shape)
            means = true.means + 0.3 * moved
            save_mixture(prefix, Mixture(np.full(k, 1.0 / k), means, true.covariances))
        return prefix

    def samples(self, n: int, d: int, k: int, seed: int, part: str = "train") -> str:
        """Return the file of n samples of a mixture. ``heldout`` samples are independent draws."""
        path = self.folder / f"samples_n{n}_d{d}_k{k}_s{seed}_{part}.npy"
        if not path.exists():
            drawn = mixture(self.mixture(d, k, seed))
            random = np.random.default_rng([seed, d, k, 3 + (part == "heldout")])
            with replacing(path) as partial:
                out = np.lib.format.open_memmap(partial, "w+", np.float64, (n, d))
                for first in range(0, n, CHUNK):
                    out[first : first + CHUNK] = draw(drawn, min(CHUNK, n - first), random)
                del out
        return str(path)

    def covariances(self, count: int, d: int, seed: int) -> str:
        """Return the file of covariances, stacked vertically."""
        path = self.folder / f"covariances_{count}_d{d}_s{seed}.npy"
        if not path.exists():
            factors = np.random.default_rng([seed, d]).standard_normal((count, d, 2 * d))
            np.save(path, (factors @ factors.swapaxes(1, 2) / (2 * d)).reshape(-1, d))
        return str(path)

    def cost(self, k: int, d: int, seed: int) -> str:
        """Return the file of squared distances between two clouds of k means."""
        path = self.folder / f"cost_k{k}_d{d}_s{seed}.npy"
        if not path.exists():
            first, second = np.random.default_rng([seed, k, d]).standard_normal((2, k, d))
            squares = np.square(first).sum(axis=1)[:, None] + np.square(second).sum(axis=1)
            np.save(path, np.maximum(squares - 2.0 * first @ second.T, 0.0))
        return str(path)
