import { TABLE_NAMES } from "./python.ts";
import { variableNameOf, type SnippetFile, type SnippetSpec, type SnippetWriter } from "./spec.ts";

const quote = (text: string): string => JSON.stringify(text);
const ISO_TIME = 'as.POSIXct(NAME$time, format = "%Y-%m-%dT%H:%M:%OSZ", tz = "UTC")';

function parsedTime(name: string): string {
  return `${name}$time <- ${ISO_TIME.replace("NAME", name)}`;
}

/** Opens the files as data frames. */
export const r: SnippetWriter = (spec) => {
  const reader = READERS[spec.format];
  if (reader === null) return null;
  const lines = spec.files.flatMap((file) => reader(file, spec));
  return `${[...LIBRARIES[spec.format], ...lines].join("\n")}\n`;
};

const NETCDF = ["library(ncdf4)", ""];

const LIBRARIES: Readonly<Record<SnippetSpec["format"], readonly string[]>> = {
  netcdf: NETCDF,
  netcdf3: NETCDF,
  zarr: [],
  csv: [],
  excel: ["library(readxl)", ""],
  parquet: ["library(arrow)", ""],
  sinex: [
    "read_tro <- function(path) {",
    '  lines <- readLines(path, encoding = "latin1")',
    '  first <- grep("^[+]TROP/SOLUTION", lines)',
    '  last <- grep("^-TROP/SOLUTION", lines)',
    '  names <- gsub("_", "", strsplit(lines[first + 1], " +")[[1]][-(1:2)])',
    "  rows <- lines[(first + 2):(last - 1)]",
    '  table <- read.table(text = rows, col.names = c("station", "epoch", names), colClasses = c("character", "character", rep("numeric", length(names))), na.strings = "-999.000")',
    "  second <- as.numeric(substr(table$epoch, 10, 14))",
    '  table$time <- as.POSIXct(strptime(substr(table$epoch, 1, 8), "%Y:%j", tz = "UTC")) + second',
    "  table",
    "}",
    "",
  ],
  cost: [],
  sqlite: ["library(DBI)", ""],
};

type Reader = (file: SnippetFile, spec: SnippetSpec) => readonly string[];

const netcdf: Reader = (file, { layout, variables }) => {
  const name = variableNameOf(file);
  const series = file.kind === "satellite" ? ["station_id", "prn"] : ["station_id"];
  const values =
    file.kind === "satellite"
      ? [`values <- grep("^(elevation|azimuth|cn0_)", names(nc$var), value = TRUE)`]
      : [`values <- c(${variables.map(quote).join(", ")})`];
  const time = `as.POSIXct(as.vector(ncvar_get(nc, "time")), origin = "1970-01-01", tz = "UTC")`;
  const isGrid = layout === "grid" && file.kind === "scalar";
  const keys = isGrid
    ? [
        `  station_id = rep(as.vector(ncvar_get(nc, "station_id")), times = length(time)),`,
        `  time = rep(time, each = nc$dim$station$len)`,
      ]
    : [
        ...series.map(
          (key) => `  ${key} = rep(as.vector(ncvar_get(nc, "${key}")), times = as.vector(ncvar_get(nc, "row_size"))),`,
        ),
        `  time = time`,
      ];
  return [
    `nc <- nc_open(${quote(file.path)})`,
    `time <- ${time}`,
    ...values,
    `${name} <- data.frame(`,
    ...keys,
    `)`,
    `for (value in values) ${name}[[value]] <- as.vector(ncvar_get(nc, value))`,
    `nc_close(nc)`,
  ];
};

const READERS: Readonly<Record<SnippetSpec["format"], Reader | null>> = {
  netcdf,
  netcdf3: netcdf,
  zarr: null,
  csv: (file) => [
    `${variableNameOf(file)} <- read.csv(${quote(file.path)}, colClasses = c(station_id = "character"), na.strings = "", encoding = "UTF-8")`,
    parsedTime(variableNameOf(file)),
  ],
  excel: (file) => [
    `sheets <- excel_sheets(${quote(file.path)})`,
    `${variableNameOf(file)} <- do.call(rbind, lapply(sheets, function(sheet) read_excel(${quote(file.path)}, sheet, na = "")))`,
  ],
  parquet: (file) => [`${variableNameOf(file)} <- as.data.frame(open_dataset(${quote(file.path)}))`],
  sinex: (file, { files }) => [`${file === files[0] ? "data" : "vapour"} <- read_tro(${quote(file.path)})`],
  cost: null,
  sqlite: (file) => [
    `db <- dbConnect(RSQLite::SQLite(), ${quote(file.path)})`,
    `${variableNameOf(file)} <- dbGetQuery(db, "SELECT * FROM ${TABLE_NAMES[file.kind]}")`,
    parsedTime(variableNameOf(file)),
    "dbDisconnect(db)",
  ],
};
