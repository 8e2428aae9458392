import { resolve } from "node:path";
import type { ExportRequest } from "#shared/file/export.ts";
import { uniqueFileNames } from "#shared/file/fileName.ts";
import type { OpenConnection } from "../../app/connections/connections.ts";
import { nameOf } from "../../app/exports/naming.ts";
import { userPath } from "../options/place.ts";
import { orStop } from "../shell.ts";

/**
 * One export, or one for each station, with the files that a template names.
 *
 * @param folder as typed
 * @throws Stop where the template cannot be used
 */
export function namedRequests(
  connection: OpenConnection,
  request: Omit<ExportRequest, "path">,
  options: { readonly template: string; readonly folder: string; readonly isPerStation: boolean },
): ExportRequest[] {
  const requests = options.isPerStation
    ? request.stationIds.map((id) => ({ ...request, stationIds: [id] }))
    : [request];
  const names = requests.map((one) => orStop(nameOf(connection, one, { template: options.template })));
  const unique = uniqueFileNames(names);
  return requests.map((one, i) => ({ ...one, path: resolve(userPath(options.folder), unique[i]!) }));
}
