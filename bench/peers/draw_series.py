"""Draws a NetCDF file of one station with matplotlib, from file to pixels, without the time of the imports.

Draws two pictures: the one of the window (ZTD with its band of uncertainty, PWV below), and the line of ZTD alone.
"""

import json

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import netCDF4  # noqa: F401
import xarray

from common import ARGUMENTS, now


def same_picture(dataset):
    times = dataset["time"].values
    ztd, sigma = dataset["ztd"].values, dataset["ztd_sigma"].values
    figure, (upper, lower) = plt.subplots(2, 1, sharex=True, figsize=(9.8, 6.4), dpi=100)
    upper.fill_between(times, ztd - sigma, ztd + sigma, alpha=0.25)
    upper.plot(times, ztd, linewidth=1)
    upper.set_ylabel("ZTD mm")
    lower.plot(times, dataset["pwv"].values, linewidth=1)
    lower.set_ylabel("PWV mm")
    return figure


def one_line(dataset):
    figure, axes = plt.subplots(figsize=(9.8, 4.2), dpi=100)
    axes.plot(dataset["time"].values, dataset["ztd"].values, linewidth=1)
    axes.set_ylabel("ZTD mm")
    return figure


def once(draw):
    started = now()
    with xarray.open_dataset(ARGUMENTS["path"]) as opened:
        figure = draw(opened.isel(station=0))
        figure.canvas.draw()
    seconds = now() - started
    plt.close(figure)
    return seconds


drawings = {"samePicture": same_picture, "oneLine": one_line}
print(json.dumps({name: [once(draw) for _ in range(ARGUMENTS["runs"])] for name, draw in drawings.items()}))
