import { spawnSync } from "node:child_process";
import type { Tool } from "./types.ts";

const INSTALL_PYTHON = "apt-get install python3-requests python3-pandas python3-xarray python3-netcdf4";

/** A Python with all packages of the peers. The system's Python is first, since Debian installs packages for it. */
export function findPython(): Tool {
  const path = ["/usr/bin/python3", "python3"].find((candidate) =>
    works(candidate, ["-c", "import requests, pandas, xarray, netCDF4"]),
  );
  return path === undefined ? { absent: INSTALL_PYTHON } : { path };
}

/** The same Python, if it has matplotlib. */
export function findPlotting(python: Tool): Tool {
  if ("absent" in python) return python;
  return works(python.path, ["-c", "import matplotlib"]) ? python : { absent: "apt-get install python3-matplotlib" };
}

export function findSqlite3(): Tool {
  return works("sqlite3", ["--version"]) ? { path: "sqlite3" } : { absent: "apt-get install sqlite3" };
}

function works(program: string, args: readonly string[]): boolean {
  return spawnSync(program, args, { stdio: "ignore" }).status === 0;
}
