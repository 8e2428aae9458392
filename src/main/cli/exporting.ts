import { extname } from "node:path";
import type { HeightReference } from "#shared/service/catalogue.ts";
import type { OpenConnection } from "../app/connections.ts";
import { EXPORT_FORMATS, type ExportFormat, type ExportReport, type ExportRequest } from "#shared/file/export.ts";
import { usage } from "./exit.ts";
import { userPath } from "./place.ts";
import { openStatus } from "./progress.ts";
import { orStop, type Shell } from "./shell.ts";
import { bytes, many } from "./text.ts";

export interface ExportWords {
  readonly out: string;
  readonly format: string;
  readonly heightReference: HeightReference;
}

const FORMAT_OF_EXTENSION: Readonly<Record<string, ExportFormat>> = {
  ".nc": "netcdf",
  ".nc4": "netcdf",
  ".netcdf": "netcdf",
  ".csv": "csv",
};

/** The format that was named, else the one that the file's name ends in. @throws Stop */
export function formatOf(path: string, named: string | undefined): ExportFormat {
  const format = named ?? FORMAT_OF_EXTENSION[extname(path).toLowerCase()];
  const known = EXPORT_FORMATS.find((f) => f === format);
  if (known) return known;
  const formats = EXPORT_FORMATS.join(", ");
  throw usage(
    named === undefined
      ? `The name ${path} tells no format: let it end in .nc or .csv, or say --format (${formats}).`
      : `There is no format “${named}”: there are ${formats}.`,
  );
}

/** Writes a file and says what is in it, and which stations are not. */
export async function exportSelection(
  shell: Shell,
  connection: OpenConnection,
  request: ExportRequest,
): Promise<ExportReport> {
  const { output, signal } = shell;
  const app = await shell.app();
  const status = openStatus(output);
  const onProgress = (rows: number): void =>
    status.show({ data: { rows }, line: () => `Writing ${request.path}: ${many(rows, "row")}` });
  const answer = await app
    .export(connection, { ...request, path: userPath(request.path) }, { signal, onProgress })
    .finally(() => status.end());
  const report = orStop(answer);
  output.print(report.files.map((f) => `${f.path}  ${bytes(f.bytes)}`));
  output.print(`${many(report.rows, "row")} in all.`);
  const names = new Map(connection.cache.catalogue().stations.map((s) => [s.id, s.displayName]));
  const without = report.stationIdsWithoutRows.map((id) => `“${names.get(id) ?? id}”`);
  if (without.length > 0) output.print(`Without a row in it: ${without.join(", ")}`);
  return report;
}
