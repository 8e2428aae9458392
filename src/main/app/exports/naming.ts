import type { AppFault } from "#shared/fault.ts";
import type { ExportRequest } from "#shared/file/export.ts";
import { exportFileName } from "#shared/file/names.ts";
import { DEFAULT_TEMPLATE } from "#shared/file/template.ts";
import { knownStations } from "#shared/service/catalogue.ts";
import type { Result } from "#shared/service/error.ts";
import type { OpenConnection } from "../connections/connections.ts";

/** How a file is to be called; without a template, as names are without any wish. */
export interface Naming {
  readonly template?: string | undefined;
  /** Of a saved export. */
  readonly exportName?: string;
}

/** The name of the first file of an export. */
export function nameOf(
  { cache, record }: OpenConnection,
  request: Omit<ExportRequest, "path">,
  { template = DEFAULT_TEMPLATE, exportName }: Naming,
): Result<string, AppFault> {
  const stations = new Map(knownStations(cache.catalogue()).map((s) => [s.id, s]));
  const named = { request, stations, connectionName: record.name, exportName: exportName ?? null };
  return exportFileName(template, named);
}
