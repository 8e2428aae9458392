import { TABLE_NAMES } from "./python.ts";
import { variableNameOf, type SnippetFile, type SnippetSpec, type SnippetWriter } from "./spec.ts";

const quote = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** Opens the files as arrays or tables. Times are datetimes in UTC. */
export const matlab: SnippetWriter = (spec) => {
  const reader = READERS[spec.format];
  return reader === null ? null : `${spec.files.flatMap((file) => reader(file, spec)).join("\n")}\n`;
};

type Reader = (file: SnippetFile, spec: SnippetSpec) => readonly string[];

const netcdf: Reader = (file, { variables, layout }) => {
  const names = file.kind === "satellite" ? ["elevation", "azimuth"] : [...variables];
  const counts = file.kind === "satellite" || layout === "ragged" ? ["row_size"] : [];
  const ids = file.kind === "satellite" ? ["station_id", "prn"] : ["station_id", "station_name"];
  return [
    `file = ${quote(file.path)};`,
    `${variableNameOf(file)} = struct();`,
    `${variableNameOf(file)}.time = datetime(ncread(file, 'time'), 'ConvertFrom', 'posixtime', 'TimeZone', 'UTC');`,
    ...[...ids, ...counts, ...names].map((name) => `${variableNameOf(file)}.${name} = ncread(file, '${name}');`),
  ];
};

const parsed = (name: string): string =>
  `${name}.time = datetime(${name}.time, 'InputFormat', 'yyyy-MM-dd''T''HH:mm:ss''Z''', 'TimeZone', 'UTC');`;

const READERS: Readonly<Record<SnippetSpec["format"], Reader | null>> = {
  netcdf,
  netcdf3: netcdf,
  zarr: null,
  csv: (file) => [
    `options = detectImportOptions(${quote(file.path)}, 'TextType', 'string');`,
    `options = setvartype(options, {'station_id', 'time'}, 'string');`,
    `${variableNameOf(file)} = readtable(${quote(file.path)}, options);`,
    parsed(variableNameOf(file)),
  ],
  excel: (file) => [`${variableNameOf(file)} = readtable(${quote(file.path)}, 'TextType', 'string');`],
  parquet: (file) =>
    file.isFolder
      ? [`${variableNameOf(file)} = readall(parquetDatastore(${quote(file.path)}, 'IncludeSubfolders', true));`]
      : [`${variableNameOf(file)} = parquetread(${quote(file.path)});`],
  sinex: null,
  cost: null,
  sqlite: (file) => [
    `connection = sqlite(${quote(file.path)}, 'readonly');`,
    `${variableNameOf(file)} = sqlread(connection, '${TABLE_NAMES[file.kind]}');`,
    "close(connection);",
    parsed(variableNameOf(file)),
  ],
};
