"""Draws a NetCDF file of satellites as a sky plot of two hours with matplotlib, without the time of the imports."""

import json

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import netCDF4
import numpy

from common import ARGUMENTS, now

TRACK_SECONDS = 2 * 3600

seconds = []
for _ in range(ARGUMENTS["runs"]):
    started = now()
    with netCDF4.Dataset(ARGUMENTS["path"]) as opened:
        ends = numpy.cumsum(opened["row_size"][:])
        time, elevation, azimuth, cn0 = (
            opened[name][:] for name in ("time", "elevation", "azimuth", "cn0_1")
        )
        last = time.max()
        figure, axes = plt.subplots(figsize=(5.1, 4.1), dpi=100, subplot_kw={"projection": "polar"})
        axes.set_theta_zero_location("N")
        axes.set_theta_direction(-1)
        axes.set_rlim(90, 0)
        for start, end in zip(numpy.concatenate(([0], ends[:-1])), ends):
            shown = numpy.flatnonzero(time[start:end] > last - TRACK_SECONDS) + start
            if shown.size == 0:
                continue
            theta = numpy.radians(azimuth[shown])
            axes.plot(theta, elevation[shown], linewidth=1)
            if time[shown[-1]] == last:
                axes.scatter(theta[-1], elevation[shown[-1]], c=[cn0[shown[-1]]], vmin=25, vmax=55)
        figure.canvas.draw()
    seconds.append(now() - started)
    plt.close(figure)
print(json.dumps({"seconds": seconds}))
