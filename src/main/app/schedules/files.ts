import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { type AppFault, usageFault } from "#shared/fault.ts";
import { type ExportRequest, FOLDER_FORMATS } from "#shared/file/export.ts";
import { portableFileName, uniqueFileNames } from "#shared/file/fileName.ts";
import type { ScheduleRun } from "#shared/schedule/run.ts";
import type { Schedule } from "#shared/schedule/schedule.ts";
import { knownStations } from "#shared/service/catalogue.ts";
import { failure, type Result, success } from "#shared/service/error.ts";
import { exportSeries } from "../../export/exportSeries.ts";
import type { OpenConnection } from "../connections/connections.ts";
import { nameOf } from "../exports/naming.ts";
import type { NotedWriter } from "../exports/noted.ts";
import { whatIsThere } from "../exports/occupied.ts";
import { placeProblem } from "../exports/place.ts";

type Files = ScheduleRun["files"];

/** A file that a run writes, without its place. */
export interface WantedFile {
  readonly request: Omit<ExportRequest, "path">;
  readonly template: string;
  /** For `{name}`. */
  readonly exportName: string;
}

/** Where the files of a schedule go. */
export function folderOf({ folder, name }: Pick<Schedule, "folder" | "name">, dataFolder: string): string {
  return folder ?? join(dataFolder, "scheduled", portableFileName(name));
}

const NONE_KNOWN = failure(
  usageFault("None of the stations is in the catalogue of this connection, so no file was written of them."),
);

/**
 * Writes the files of a run, one after the other. Files that the schedule itself wrote earlier are replaced, others never.
 *
 * @param own paths that earlier runs wrote
 * @returns what was written, and why the rest was not
 */
export async function writeFiles(
  connection: OpenConnection,
  wanted: readonly WantedFile[],
  {
    folder,
    isOwnFolder,
    own,
    noted,
    signal,
  }: {
    readonly folder: string;
    /** One in the data folder, which is made where it is missing. */
    readonly isOwnFolder: boolean;
    readonly own: ReadonlySet<string>;
    readonly noted: NotedWriter;
    readonly signal: AbortSignal;
  },
): Promise<{ readonly files: Files; readonly problems: readonly AppFault[] }> {
  const files: Files = [];
  const problems: AppFault[] = [];
  if (isOwnFolder) await mkdir(folder, { recursive: true, mode: 0o700 });
  // One that the service does not list any more must not cost the files of the others; the run says that it is missing.
  const known = new Set(knownStations(connection.cache.catalogue()).map((s) => s.id));
  const named = wanted.map((one) => {
    const request = { ...one.request, stationIds: one.request.stationIds.filter((id) => known.has(id)) };
    const name = request.stationIds.length === 0 ? NONE_KNOWN : nameOf(connection, request, one);
    return { request, name };
  });
  const unique = uniqueFileNames(named.flatMap(({ name }) => (name.ok ? name.value : [])));
  for (const { request, name } of named) {
    if (signal.aborted) break;
    const path = name.ok ? join(folder, unique.shift() ?? name.value) : "";
    const written = name.ok ? await writeOne(connection, { ...request, path }, { own, noted, signal }) : name;
    if (written.ok) files.push(...written.value);
    else problems.push(written.error);
  }
  return { files, problems };
}

async function writeOne(
  { cache, session }: OpenConnection,
  request: ExportRequest,
  { own, noted, signal }: { own: ReadonlySet<string>; noted: NotedWriter; signal: AbortSignal },
): Promise<Result<Files, AppFault>> {
  const { path, format } = request;
  const problem = await placeProblem(path, format);
  if (problem) return failure(problem);
  const isOurs = (there: string): boolean => own.has(path) || own.has(there.replace(/\.json$/, ""));
  const foreign = (await whatIsThere(path)).find((there) => !isOurs(there));
  if (foreign !== undefined) {
    const message = `${foreign} is there already and was not written by this schedule. Move it, or change the name of the file.`;
    return failure({ kind: "disk", message, cause: null });
  }
  const answer = await noted(path, () => exportSeries(cache, session.client.origin, request, { signal }));
  if (!answer.ok) return answer;
  const { files, rows } = answer.value;
  if (FOLDER_FORMATS.has(format)) return success([{ path, bytes: files.reduce((sum, f) => sum + f.bytes, 0), rows }]);
  // Rows of one export, however many files it takes.
  return success(files.map((file, i) => ({ ...file, rows: i === 0 ? rows : 0 })));
}
