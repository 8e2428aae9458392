import { variableNameOf, type SnippetFile, type SnippetSpec, type SnippetWriter } from "./spec.ts";

const quote = (text: string): string => JSON.stringify(text);

/** Opens array formats with xarray and tables with pandas. */
export const python: SnippetWriter = (spec) => {
  const [head, body] = READERS[spec.format](spec);
  return `${head.join("\n")}\n\n${body.join("\n")}\n`;
};

type Lines = readonly string[];
type Reader = (spec: SnippetSpec) => readonly [head: Lines, body: Lines];

const PANDAS = ["import pandas as pd"];

function tables(read: (path: string, file: SnippetFile) => string): Reader {
  return ({ files }) => [
    PANDAS,
    files.flatMap((file) => [`${variableNameOf(file)} = ${read(quote(file.path), file)}`]),
  ];
}

/** Opens a dataset, and converts it to a table with a row per time and station. */
function arrays(open: string): Reader {
  return (spec) => [
    ["import numpy as np", "import xarray as xr"],
    spec.files.flatMap((file) => [
      `${variableNameOf(file)} = xr.${open}(${quote(file.path)})`,
      ...(file.kind === "satellite"
        ? raggedTable("satellites", "sky", ["station_id", "prn"])
        : spec.layout === "ragged"
          ? raggedTable("data", "table", ["station_id", "station_name"])
          : [`table = data[[${spec.variables.map(quote).join(", ")}]].to_dataframe().reset_index()`]),
    ]),
  ];
}

/** Converts a ragged dataset to a table, with the names of each series repeated for all of its rows. */
function raggedTable(dataset: string, table: string, names: readonly string[]): string[] {
  return [
    `${table} = ${dataset}[[name for name in ${dataset}.variables if ${dataset}[name].dims == ("obs",)]].to_dataframe()`,
    ...names.map(
      (name) => `${table}["${name}"] = np.repeat(${dataset}["${name}"].values, ${dataset}["row_size"].values)`,
    ),
  ];
}

const SINEX_READER = [
  "def read_tro(path):",
  '    """The rows of TROP/SOLUTION: station, time (by TIME SYSTEM), values in mm or kg m-2."""',
  "    inside, names, rows = False, [], []",
  '    with open(path, encoding="latin-1") as file:',
  "        for line in file:",
  '            if line[:1] in "+-":',
  '                inside = line.startswith("+TROP/SOLUTION")',
  '            elif inside and line.startswith("*"):',
  '                names = [name.strip("_") for name in line.split()[2:]]',
  "            elif inside:",
  "                rows.append(line.split())",
  '    table = pd.DataFrame(rows, columns=["station", "epoch", *names])',
  '    parts = table["epoch"].str.split(":", expand=True)',
  '    day = pd.to_datetime(parts[0] + parts[1], format="%Y%j", utc=True)',
  '    table["time"] = day + pd.to_timedelta(parts[2].astype(int), unit="s")',
  "    for name in names:",
  '        table[name] = table[name].astype(float).replace(-999.0, float("nan"))',
  "    return table",
];

const COST_READER = [
  "def read_cost(path):",
  '    """The rows of all stations: code, time (UTC), ZTD and its deviation in mm, IWV in kg m-2."""',
  "    rows, head, day = [], [], None",
  '    with open(path, encoding="latin-1") as file:',
  "        for line in file:",
  '            if line.startswith("COST-716"):',
  "                head = []",
  "            if len(head) < 9:",
  "                head.append(line)",
  "                if len(head) == 5:",
  '                    day = pd.to_datetime(line[:11], format="%d-%b-%Y", utc=True)',
  '            elif len(line) > 90 and line[0] == " ":',
  '                clock = pd.Timedelta(f"{line[1:3]}:{line[4:6]}:{line[7:9]}")',
  "                values = [float(line[18 + 7 * i : 25 + 7 * i]) for i in (0, 1, 3)]",
  "                rows.append([head[1][:4], day + clock, *values])",
  '    table = pd.DataFrame(rows, columns=["station", "time", "ZTD", "ZTD_sigma", "IWV"])',
  '    return table.replace(-9.9, float("nan"))',
];

const READERS: Readonly<Record<SnippetSpec["format"], Reader>> = {
  netcdf: arrays("open_dataset"),
  netcdf3: arrays("open_dataset"),
  zarr: arrays("open_zarr"),
  csv: tables(
    (path) =>
      `pd.read_csv(${path}, parse_dates=["time"], dtype={"station_id": str}, keep_default_na=False, na_values=[""])`,
  ),
  excel: tables(
    (path) =>
      `pd.concat(pd.read_excel(${path}, sheet_name=None, dtype={"station_id": str}, keep_default_na=False, na_values=[""]).values(), ignore_index=True)`,
  ),
  parquet: tables((path) => `pd.read_parquet(${path})`),
  sinex: ({ files }) => [
    PANDAS,
    [
      "",
      ...SINEX_READER,
      "",
      "",
      ...files.map(({ path }, i) => `${i === 0 ? "data" : "vapour"} = read_tro(${quote(path)})`),
    ],
  ],
  cost: ({ files }) => [
    PANDAS,
    ["", ...COST_READER, "", "", ...files.map(({ path }) => `data = read_cost(${quote(path)})`)],
  ],
  sqlite: ({ files }) => [
    ["import sqlite3", "", ...PANDAS],
    files.map(
      (file) =>
        `${variableNameOf(file)} = pd.read_sql("SELECT * FROM ${TABLE_NAMES[file.kind]}", sqlite3.connect(${quote(file.path)}), parse_dates=["time"])`,
    ),
  ],
};

/** Tables of an SQLite export. */
export const TABLE_NAMES = { scalar: "measurement", satellite: "satellite" } as const;
