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
import { nameOf } from "../exports/fileName.ts";
import type { JournaledWriter } from "../exports/journaledWriter.ts";
import { existingOutputs } from "../exports/existingOutputs.ts";
import { placeProblem } from "../exports/place.ts";

type Files = ScheduleRun["files"];

/** A file that a run writes, without its path. */
export interface WantedFile {
  readonly request: Omit<ExportRequest, "path">;
  readonly template: string;
  /** For `{name}` in the template. */
  readonly exportName: string;
}

/** The folder for the files of a schedule. */
export function outputFolder({ folder, name }: Pick<Schedule, "folder" | "name">, dataFolder: string): string {
  return folder ?? join(dataFolder, "scheduled", portableFileName(name));
}

const NO_KNOWN_STATION = failure(
  usageFault("None of the stations is in the catalogue of this connection, so no file was written."),
);

/**
 * Writes the files of a run, one after the other. Only files that the schedule itself wrote earlier are replaced.
 *
 * @param own paths written by earlier runs
 * @returns the written files, and the faults of the others
 */
export async function writeFiles(
  connection: OpenConnection,
  wanted: readonly WantedFile[],
  {
    folder,
    isOwnFolder,
    own,
    writeJournaled,
    signal,
  }: {
    readonly folder: string;
    /** Whether it is in the data folder, where it is created if it is missing. */
    readonly isOwnFolder: boolean;
    readonly own: ReadonlySet<string>;
    readonly writeJournaled: JournaledWriter;
    readonly signal: AbortSignal;
  },
): Promise<{ readonly files: Files; readonly problems: readonly AppFault[] }> {
  const files: Files = [];
  const problems: AppFault[] = [];
  if (isOwnFolder) await mkdir(folder, { recursive: true, mode: 0o700 });
  // Stations that the service no longer lists must not prevent the files of the others; the run reports them as missing.
  const known = new Set(knownStations(connection.cache.catalogue()).map((s) => s.id));
  const named = wanted.map((one) => {
    const request = { ...one.request, stationIds: one.request.stationIds.filter((id) => known.has(id)) };
    const name = request.stationIds.length === 0 ? NO_KNOWN_STATION : nameOf(connection, request, one);
    return { request, name };
  });
  const unique = uniqueFileNames(named.flatMap(({ name }) => (name.ok ? name.value : [])));
  for (const { request, name } of named) {
    if (signal.aborted) break;
    const path = name.ok ? join(folder, unique.shift() ?? name.value) : "";
    const written = name.ok ? await writeOne(connection, { ...request, path }, { own, writeJournaled, signal }) : name;
    if (written.ok) files.push(...written.value);
    else problems.push(written.error);
  }
  return { files, problems };
}

async function writeOne(
  { cache, session }: OpenConnection,
  request: ExportRequest,
  { own, writeJournaled, signal }: { own: ReadonlySet<string>; writeJournaled: JournaledWriter; signal: AbortSignal },
): Promise<Result<Files, AppFault>> {
  const { path, format } = request;
  const problem = await placeProblem(path, format);
  if (problem) return failure(problem);
  const isOurs = (existing: string): boolean => own.has(path) || own.has(existing.replace(/\.json$/, ""));
  const foreign = (await existingOutputs(path)).find((existing) => !isOurs(existing));
  if (foreign !== undefined) {
    const message = `${foreign} exists and was not written by this schedule. Move it, or change the name of the file.`;
    return failure({ kind: "disk", message, cause: null });
  }
  const answer = await writeJournaled(path, () => exportSeries(cache, session.client.origin, request, { signal }));
  if (!answer.ok) return answer;
  const { files, rows } = answer.value;
  if (FOLDER_FORMATS.has(format)) return success([{ path, bytes: files.reduce((sum, f) => sum + f.bytes, 0), rows }]);
  // The rows of an export count once, however many files it has.
  return success(files.map((file, i) => ({ ...file, rows: i === 0 ? rows : 0 })));
}
