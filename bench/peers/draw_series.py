"""A NetCDF file of one station -> the picture of its ZTD with matplotlib, file to pixels. The imports are not counted."""

import json

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import netCDF4  # noqa: F401
import xarray

from common import ARGUMENTS, now

seconds = []
for _ in range(ARGUMENTS["runs"]):
    started = now()
    with xarray.open_dataset(ARGUMENTS["path"]) as opened:
        ztd = opened["ztd"].isel(station=0)
        figure, axes = plt.subplots(figsize=(9.8, 4.2), dpi=100)
        axes.plot(ztd["time"].values, ztd.values, linewidth=1)
        axes.set_ylabel("ZTD mm")
        figure.canvas.draw()
    seconds.append(now() - started)
    plt.close(figure)
print(json.dumps({"seconds": seconds, "points": int(ztd.size)}))
