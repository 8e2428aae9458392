import { mkdir, open, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { isSidecarStart, SIDECAR_START_BYTES } from "#formats/sidecar.ts";
import type { AppFault } from "#shared/fault.ts";
import { type ExportRequest, FOLDER_FORMATS, unknownStationsSentence } from "#shared/file/export.ts";
import type { FigureSettings } from "#shared/file/figure.ts";
import { portableFileName, uniqueFileNames } from "#shared/file/fileName.ts";
import { missingValuesSentence } from "#shared/satellites/problems.ts";
import type { ScheduleRun } from "#shared/schedule/run.ts";
import type { Schedule } from "#shared/schedule/schedule.ts";
import { failure, type Result, success } from "#shared/service/error.ts";
import { exportSeries } from "../../export/exportSeries.ts";
import type { OpenConnection } from "../connections/connections.ts";
import type { DrawFigure, FigureReport } from "../exports/figure.ts";
import type { JournaledWriter } from "../storage/journal.ts";
import { dataOrigin } from "../exports/origin.ts";
import { existingOutputs, nameOf, placeProblem } from "../exports/place.ts";
import { figureName, figureRequest, type WantedFigure } from "../exports/saved.ts";

type RunFile = ScheduleRun["files"][number];

/** The folder of the files of schedules, in the data folder. */
const SCHEDULED = "scheduled";

/** Some disks keep times to two seconds. */
const TIME_TOLERANCE_MS = 2_000;

/** Files of earlier runs of a schedule, by path, as the newest run that wrote them left them. */
type EarlierFiles = ReadonlyMap<string, RunFile>;

/**
 * @param runs newest first
 * @param ownFolder the folder of the schedule in the data folder; null if the user chose another one
 */
export function earlierFiles(runs: readonly ScheduleRun[], ownFolder: string | null): EarlierFiles {
  const files = runs.toReversed().flatMap((run) => run.files);
  return new Map(files.map((file) => [presentPath(file.path, ownFolder), file]));
}

/**
 * Where a file of an earlier run is now. It has moved with a data folder that was renamed, or copied to another computer
 * or system.
 */
function presentPath(path: string, ownFolder: string | null): string {
  if (ownFolder === null) return path;
  const [scheduled, schedule, name = ""] = path.split(/[/\\]/).slice(-3);
  return scheduled === SCHEDULED && schedule === basename(ownFolder) ? join(ownFolder, name) : path;
}

/**
 * Returns why a run must not write to a path: a file there, beside it or a description is not one that an earlier run left
 * there. Otherwise null.
 */
async function foreignFileProblem(path: string, earlier: EarlierFiles): Promise<AppFault | null> {
  for (const existing of await existingOutputs(path)) {
    const problem = await problemOf(existing, earlier);
    if (problem !== null)
      return {
        kind: "disk",
        message: `${existing} ${problem}. Move it, or change the name of the file.`,
        cause: null,
      };
  }
  return null;
}

async function problemOf(existing: string, earlier: EarlierFiles): Promise<string | null> {
  const written = earlier.get(existing);
  const described = earlier.get(existing.replace(/\.json$/, ""));
  if (written === undefined && described !== undefined && (await isSidecar(existing))) return null;
  if (written === undefined) return "exists and was not written by this schedule";
  return (await isUnchanged(existing, written)) ? null : "was changed or replaced after this schedule wrote it";
}

/** Whether a file is as the run left it. The writer of a folder checks its content itself. */
async function isUnchanged(path: string, { bytes, modifiedMs }: RunFile): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  if (found === null || found.isDirectory()) return true;
  if (found.size !== bytes) return false;
  return modifiedMs === null || Math.abs(found.mtimeMs - modifiedMs) <= TIME_TOLERANCE_MS;
}

/** When a file was changed, UTC milliseconds; null if that cannot be read. */
async function modifiedMsOf(path: string): Promise<number | null> {
  const found = await stat(path).catch(() => null);
  return found === null ? null : Math.floor(found.mtimeMs);
}

async function isSidecar(path: string): Promise<boolean> {
  try {
    await using file = await open(path);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(SIDECAR_START_BYTES));
    return isSidecarStart(buffer.toString("utf8", 0, bytesRead));
  } catch {
    return false;
  }
}

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
  return folder ?? join(dataFolder, SCHEDULED, portableFileName(name));
}

/**
 * Writes the files of a run, one after the other. Only files that the schedule itself wrote earlier are replaced.
 *
 * @param earlier files of earlier runs
 * @returns the written files, the faults of the others, and sentences on values that are missing in the files
 */
export async function writeFiles(
  connection: OpenConnection,
  wanted: readonly WantedFile[],
  {
    folder,
    isOwnFolder,
    earlier,
    writeJournaled,
    signal,
  }: {
    readonly folder: string;
    /** Whether it is in the data folder, where it is created if it is missing. */
    readonly isOwnFolder: boolean;
    readonly earlier: EarlierFiles;
    readonly writeJournaled: JournaledWriter;
    readonly signal: AbortSignal;
  },
): Promise<{ readonly files: Files; readonly problems: readonly AppFault[]; readonly remarks: readonly string[] }> {
  const files: Files = [];
  const problems: AppFault[] = [];
  const remarks: string[] = [];
  if (isOwnFolder) await mkdir(folder, { recursive: true, mode: 0o700 });
  const named = wanted.map((one) => ({ request: one.request, name: nameOf(connection, one.request, one) }));
  const unique = uniqueFileNames(named.flatMap(({ name }) => (name.ok ? name.value : [])));
  for (const { request, name } of named) {
    if (signal.aborted) break;
    const path = name.ok ? join(folder, unique.shift() ?? name.value) : "";
    const written = name.ok
      ? await writeOne(connection, { ...request, path }, { earlier, writeJournaled, signal })
      : name;
    if (!written.ok) {
      problems.push(written.error);
      continue;
    }
    files.push(...written.value.files);
    remarks.push(...written.value.remarks.map((sentence) => `${basename(path)}: ${sentence}`));
  }
  return { files, problems, remarks };
}

async function writeOne(
  connection: OpenConnection,
  request: ExportRequest,
  { earlier, writeJournaled, signal }: { earlier: EarlierFiles; writeJournaled: JournaledWriter; signal: AbortSignal },
): Promise<Result<{ readonly files: Files; readonly remarks: readonly string[] }, AppFault>> {
  const { path, format } = request;
  const problem = (await placeProblem(path, format)) ?? (await foreignFileProblem(path, earlier));
  if (problem) return failure(problem);
  const answer = await writeJournaled(path, () =>
    exportSeries(connection.cache, dataOrigin(connection), request, { signal }),
  );
  if (!answer.ok) return answer;
  const { files, rows, satelliteProblems, unknownStationIds } = answer.value;
  const written = FOLDER_FORMATS.has(format) ? [{ path, bytes: files.reduce((sum, f) => sum + f.bytes, 0) }] : files;
  // The rows of an export count once, however many files it has.
  const described = written.map(async (file, i) => ({
    ...file,
    rows: i === 0 ? rows : 0,
    modifiedMs: await modifiedMsOf(file.path),
  }));
  const sentences = [unknownStationsSentence(unknownStationIds), missingValuesSentence(satelliteProblems)];
  const remarks = sentences.filter((sentence) => sentence !== null);
  return success({ files: await Promise.all(described), remarks });
}

interface Drawing {
  readonly folder: string;
  readonly look: FigureSettings;
  /** Files of earlier runs, which may be replaced. */
  readonly earlier: EarlierFiles;
  readonly draw: DrawFigure;
  readonly signal: AbortSignal;
}

/**
 * Draws the figures of a run, one after the other. A failure does not fail the run.
 *
 * @returns the drawn files, and a sentence for each figure that failed
 */
export async function drawFigures(
  connection: OpenConnection,
  wanted: readonly WantedFigure[],
  { folder, look, earlier, draw, signal }: Drawing,
): Promise<Pick<ScheduleRun, "files" | "remarks">> {
  const files: ScheduleRun["files"] = [];
  const remarks: string[] = [];
  const names = wanted.map((one) => figureName(connection, one));
  const unique = uniqueFileNames(names.flatMap((name) => (name.ok ? name.value : [])));
  for (const [i, figure] of wanted.entries()) {
    if (signal.aborted) break;
    const name = names[i];
    if (!name?.ok) {
      if (name) remarks.push(notDrawn(name.error));
      continue;
    }
    const path = join(folder, unique.shift() ?? name.value);
    const request = figureRequest(figure, look);
    const drawn = request.ok
      ? await drawAt(path, earlier, () => draw(connection, { ...request.value, path }, signal))
      : request;
    if (drawn.ok) files.push({ path, bytes: drawn.value.bytes, rows: 0, modifiedMs: await modifiedMsOf(path) });
    else remarks.push(notDrawn(drawn.error));
  }
  return { files, remarks };
}

async function drawAt(
  path: string,
  earlier: EarlierFiles,
  draw: () => Promise<Result<FigureReport, AppFault>>,
): Promise<Result<FigureReport, AppFault>> {
  const problem = await foreignFileProblem(path, earlier);
  return problem === null ? draw() : failure(problem);
}

function notDrawn({ message }: AppFault): string {
  return `A figure was not saved: ${message}`;
}
