"""A table in memory -> CSV (pandas) and NetCDF-4 with zlib (xarray). Reads a NetCDF file of ours for the values."""

import json
import os

import netCDF4  # noqa: F401
import xarray

from common import ARGUMENTS, now

path, runs, level = ARGUMENTS["path"], ARGUMENTS["runs"], ARGUMENTS["level"]
with xarray.open_dataset(path) as opened:
    dataset = opened[["ztd", "ztd_sigma", "pwv"]].isel(station=0).load()
for name in dataset.variables:
    dataset[name].encoding = {}
dataset = dataset[["ztd", "ztd_sigma", "pwv"]].drop_vars([c for c in dataset.coords if c != "time"])
frame = dataset.to_dataframe().reset_index()
frame.insert(0, "station_id", ARGUMENTS["stationId"])
target = path + ".peer"


def once(work):
    started = now()
    work()
    seconds = now() - started
    os.remove(target)
    return seconds


encoding = {name: {"zlib": True, "complevel": level} for name in dataset.data_vars}
works = {
    "csv": lambda: frame.to_csv(target, index=False),
    "csvIso": lambda: frame.to_csv(target, index=False, date_format="%Y-%m-%dT%H:%M:%SZ"),
    "netcdf": lambda: dataset.to_netcdf(target, encoding=encoding),
}
try:
    import pyarrow  # noqa: F401

    works["parquet"] = lambda: frame.to_parquet(target, index=False)
except ImportError:
    pass
print(json.dumps({name: [once(work) for _ in range(runs)] for name, work in works.items()} | {"rows": len(frame)}))
