#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""demo/animate.py LBW SILHOUETTES OUTPUT.gif: draw a GIF that morphs silhouettes into each other.

LBW is the program, and SILHOUETTES is the directory where `make demo` writes cat.png, rabbit.png
and tooth.png. `lbw morph` draws the frames, and this script combines them. It needs Pillow.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image

SHAPES = ("cat", "rabbit", "tooth")
FRAMES = 48
SIDE = 200  # pixels
REST = 700  # milliseconds at every silhouette
STEP = 70  # milliseconds at every frame between


def frames_of(program: str, silhouettes: Path, folder: Path) -> list[Image.Image]:
    """Draw all frames with the program and read them."""
    images = [str(silhouettes / f"{shape}.png") for shape in SHAPES]
    options = f"--frames {FRAMES} --cell {SIDE} --points 40000 --components 300 --coupling plan"
    options += " --map random --tolerance 0.01 --covariance-floor 1e-4 --quiet"
    subprocess.run(
        [program, "morph", *images, *options.split(), "-o", str(folder / "morph.png")], check=True
    )
    return [Image.open(path).convert("RGB") for path in sorted(folder.glob("morph-*.png"))]


def with_few_colours(frame: Image.Image) -> Image.Image:
    """Reduce a frame to six colours, for a small file."""
    return frame.quantize(colors=6, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)


def main() -> int:
    """Write the animation."""
    if len(sys.argv) != 4:
        print(__doc__, file=sys.stderr)
        return 2
    program, silhouettes, output = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    with tempfile.TemporaryDirectory() as folder:
        frames = [
            with_few_colours(frame) for frame in frames_of(program, silhouettes, Path(folder))
        ]
    leg = FRAMES // len(SHAPES)
    durations = [REST if number % leg == 0 else STEP for number in range(len(frames))]
    aside = output.with_suffix(".part.gif")
    frames[0].save(
        aside, save_all=True, append_images=frames[1:], duration=durations, loop=0, optimize=False
    )
    os.replace(aside, output)
    print(f"{output}: {len(frames)} frames, {output.stat().st_size / 1000:.0f} kB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
