"""HTTP -> pandas -> xarray -> NetCDF-4 (without compression, the default): (station, time)."""

import os

import netCDF4  # noqa: F401  loaded before the clock starts
import xarray  # noqa: F401

from common import ARGUMENTS, fetch, now, report

path = ARGUMENTS["path"]
started = now()
frame = fetch(ARGUMENTS["url"], ARGUMENTS["queries"])
rows = len(frame)
dataset = frame.drop(columns="display_name").set_index(["station_id", "timestamp"]).to_xarray()
dataset.to_netcdf(path)
report(now() - started, rows)
os.remove(path)
