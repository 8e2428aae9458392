import type { AppFault } from "#shared/fault.ts";
import type { ExportRequest } from "#shared/file/export.ts";
import { exportFileName } from "#shared/file/names.ts";
import { DEFAULT_TEMPLATE } from "#shared/file/template.ts";
import type { Result } from "#shared/service/error.ts";
import { splitStations } from "../../export/source.ts";
import type { OpenConnection } from "../connections/connections.ts";

/** How to name a file; without a template, by the default one. */
export interface Naming {
  readonly template?: string | undefined;
  /** Name of a saved export, for `{name}`. */
  readonly exportName?: string;
}

/** The name of the first file of an export: that of the stations which it will contain, if any is known. */
export function nameOf(
  { cache, record }: OpenConnection,
  request: Omit<ExportRequest, "path">,
  { template = DEFAULT_TEMPLATE, exportName }: Naming,
): Result<string, AppFault> {
  const known = splitStations(cache.catalogue(), request.stationIds).stations;
  const stations = new Map(known.map((s) => [s.id, s]));
  const written = known.length === 0 ? request : { ...request, stationIds: [...stations.keys()] };
  const named = { request: written, stations, connectionName: record.name, exportName: exportName ?? null };
  return exportFileName(template, named);
}
