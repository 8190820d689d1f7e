# SPDX-License-Identifier: MIT
"""
A file larger than memory
=========================

`fit` reads a Parquet file in batches, and `transform_batches` transports it in batches, so that the
memory does not grow with the number of rows. The file of this example has a million rows, and the
same steps apply to a file that is larger than memory. Run `python streaming.py [picture.png]`.
"""

import resource
import sys
from tempfile import TemporaryDirectory

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from lbw import LocalTransport
from lbw.io import read_parquet, write_parquet

matplotlib.use("Agg")
rng = np.random.default_rng(0)


def trips(n_rows):
    """Draw kilometres and minutes of rides by bike and by car."""
    by_car = rng.random(n_rows) < 0.4
    km = np.where(by_car, rng.lognormal(2.2, 0.6, n_rows), rng.lognormal(1.2, 0.5, n_rows))
    minutes = km * np.where(by_car, 2, 4) + rng.normal(np.where(by_car, 8, 1), 1.5, n_rows)
    return pa.table({"km": km, "minutes": minutes, "vehicle": np.where(by_car, "car", "bike")})


# %%
# Write the file part by part, fit it and transport it.
folder = TemporaryDirectory()
source, target = f"{folder.name}/trips.parquet", f"{folder.name}/moved.parquet"
with pq.ParquetWriter(source, trips(1).schema) as writer:
    for _ in range(10):
        writer.write_table(trips(100_000))
start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
rows = read_parquet(source, features=["km", "minutes"], group="vehicle")
transport = LocalTransport(n_components=4, random_state=0).fit(rows)
write_parquet(transport.transform_batches(rows, to="car"), target, verbose=0)
added = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - start) / 1024  # in MiB on Linux
print(f"{pq.read_metadata(target).num_rows} rows, fit and transport used {added:.0f} MiB more")

# %%
# All other columns stay as they are, and rows stay in order. The bikes now look like cars.
figure, axes = plt.subplots(1, 2, figsize=(10, 4.2), layout="constrained", sharex=True, sharey=True)
for ax, path, title in zip(axes, (source, target), ("measured", "bikes to cars"), strict=True):
    table = next(pq.ParquetFile(path).iter_batches(8000)).to_pandas()
    for vehicle, shown in table.groupby("vehicle"):
        ax.scatter(shown.km, shown.minutes, s=4, alpha=0.5, label=vehicle)
    ax.set(title=title, xlabel="km", ylabel="minutes", xlim=(0, 35), ylim=(0, 80))
    ax.legend(markerscale=4)
figure.savefig(sys.argv[1] if len(sys.argv) > 1 else "streaming.png", dpi=100)
