import type { AppFault } from "#shared/fault.ts";
import type { ExportRequest } from "#shared/file/export.ts";
import { exportFileName } from "#shared/file/names.ts";
import { DEFAULT_TEMPLATE } from "#shared/file/template.ts";
import { knownStations } from "#shared/service/catalogue.ts";
import type { Result } from "#shared/service/error.ts";
import type { OpenConnection } from "../connections/connections.ts";

/** How to name a file; without a template, by the default one. */
export interface Naming {
  readonly template?: string | undefined;
  /** Name of a saved export, for `{name}`. */
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
