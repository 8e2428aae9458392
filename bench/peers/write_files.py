"""Writes a table in memory to CSV (pandas) and NetCDF-4 with zlib (xarray). The values are from a NetCDF file of ours."""

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


sizes = {}


def once(name, work):
    started = now()
    work()
    seconds = now() - started
    sizes[name] = os.path.getsize(target)
    os.remove(target)
    return seconds


def write_sinex():
    """A plain loop: delays with their uncertainty, then water vapour, as in our two files."""
    times = dataset["time"].values.astype("datetime64[s]")
    days = times.astype("datetime64[D]")
    years = days.astype("datetime64[Y]")
    doys = ((days - years).astype(int) + 1).tolist()
    seconds = (times - days).astype(int).tolist()
    years = (years.astype(int) + 1970).tolist()
    columns = [dataset[name].fillna(-999).values.tolist() for name in ("ztd", "ztd_sigma", "pwv")]
    with open(target, "w") as file:
        for year, doy, second, ztd, sigma in zip(years, doys, seconds, columns[0], columns[1]):
            file.write(f" STAT00XXX {year:04d}:{doy:03d}:{second:05d} {ztd:8.3f} {sigma:8.3f}\n")
        for year, doy, second, pwv in zip(years, doys, seconds, columns[2]):
            file.write(f" STAT00XXX {year:04d}:{doy:03d}:{second:05d} {pwv:8.3f} -999.000\n")


encoding = {name: {"zlib": True, "complevel": level} for name in dataset.data_vars}
works = {
    "csv": lambda: frame.to_csv(target, index=False),
    "csvIso": lambda: frame.to_csv(target, index=False, date_format="%Y-%m-%dT%H:%M:%SZ"),
    "sinex": write_sinex,
    "netcdf": lambda: dataset.to_netcdf(target, encoding=encoding),
}
try:
    import pyarrow  # noqa: F401

    works["parquet"] = lambda: frame.to_parquet(target, index=False)
except ImportError:
    pass
seconds = {name: [once(name, work) for _ in range(runs)] for name, work in works.items()}
print(json.dumps(seconds | {"rows": len(frame), "sizes": sizes}))
