import { open, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { FormatFailure } from "#formats/error.ts";
import type { OnComplete } from "#formats/fileGroup.ts";
import { isSidecarStart, SIDECAR_START_BYTES } from "#formats/sidecar.ts";
import type { AppFault } from "#shared/fault.ts";
import { type ExportRequest, unknownStationsSentence } from "#shared/file/export.ts";
import { FORMATS } from "#shared/file/formats.ts";
import type { FigureSettings } from "#shared/file/figure.ts";
import { portableFileName, uniqueFileNames } from "#shared/file/fileName.ts";
import { missingValuesSentence } from "#shared/satellites/problems.ts";
import type { LedgerRange } from "#shared/schedule/ledger.ts";
import type { ScheduleRun } from "#shared/schedule/run.ts";
import type { Schedule } from "#shared/schedule/schedule.ts";
import { failure, type Result, success } from "#shared/service/error.ts";
import { exportSeries } from "../../export/exportSeries.ts";
import type { OpenConnection } from "../connections/connections.ts";
import { type DrawFigure, figureName, figureRequest, type WantedFigure } from "../exports/figure.ts";
import type { GuardedWrite } from "../storage/ownFiles.ts";
import { dataSource } from "../exports/dataSource.ts";
import { existingOutputs, firstFileName, placeProblem } from "../exports/place.ts";

type RunFile = ScheduleRun["files"][number];

/** The folder of the files of schedules, in the data folder. */
const SCHEDULED = "scheduled";

/** Some disks keep times to two seconds. */
const TIME_TOLERANCE_MS = 2_000;

/** Whatever a schedule may have left at a path: a file that is like none of these is not its own. */
type EarlierFiles = (path: string) => readonly RunFile[];

/**
 * The files of these ranges at a path: as the last run left them, and as killed runs were about to write them.
 *
 * @param ownFolder the folder of the schedule in the data folder; null if the user chose another one
 */
export function earlierFiles(
  ranges: readonly LedgerRange[],
  path: string,
  ownFolder: string | null,
): readonly RunFile[] {
  const all = ranges.flatMap(({ files, writing }) => [...files, ...writing]);
  return all.filter((one) => presentPath(one.path, ownFolder) === path);
}

/** The name under which a file is found, wherever the data folder is. */
export function fileName(path: string): string {
  const parts = path.split(/[/\\]/).slice(-3);
  return parts[0] === SCHEDULED ? parts.join("/") : path;
}

/**
 * Where a file of an earlier run is now. It has moved with a data folder that was renamed, or copied to another computer
 * or system.
 */
export function presentPath(path: string, ownFolder: string | null): string {
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
  const written = earlier(existing);
  for (const one of written) if (await isUnchanged(existing, one)) return null;
  if (earlier(existing.replace(/\.json$/, "")).length > 0 && (await isSidecar(existing))) return null;
  return written.length === 0
    ? "exists and was not written by this schedule"
    : "was changed or replaced after this schedule wrote it";
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

/** The folder for the files of a schedule. */
export function outputFolder({ folder, name }: Pick<Schedule, "folder" | "name">, dataFolder: string): string {
  return folder ?? join(dataFolder, SCHEDULED, portableFileName(name));
}

/** A file or figure that a run writes for a range, without its path. */
export type WantedOutput =
  | {
      readonly kind: "file";
      readonly request: Omit<ExportRequest, "path">;
      readonly template: string;
      /** For `{name}` in the template. */
      readonly exportName: string;
    }
  | ({ readonly kind: "figure" } & WantedFigure);

/** With its path; a fault if the template cannot be used. */
export type NamedOutput = WantedOutput & { readonly path: Result<string, AppFault> };

/** Names what a run writes for a range, each differently. */
export function nameOutputs(
  connection: OpenConnection,
  wanted: readonly WantedOutput[],
  folder: string,
): NamedOutput[] {
  const names = wanted.map((one) =>
    one.kind === "file" ? firstFileName(connection, one.request, one) : figureName(connection, one),
  );
  const unique = uniqueFileNames(names.flatMap((name) => (name.ok ? name.value : [])));
  return wanted.map((one, i) => {
    const name = names[i] ?? NO_NAME;
    return { ...one, path: name.ok ? success(join(folder, unique.shift() ?? name.value)) : name };
  });
}

const NO_NAME = failure<AppFault>({ kind: "usage", message: "The file has no name.", cause: null });

interface Writing {
  /** Files of the schedule, which may be replaced. */
  readonly earlier: EarlierFiles;
  readonly writeGuarded: GuardedWrite;
  readonly draw: DrawFigure;
  readonly look: FigureSettings;
  /** Called with complete files that are about to get their names, when it is certain that they replace none of somebody else. */
  readonly note: (files: readonly RunFile[]) => void;
  readonly signal: AbortSignal;
}

/** Written files, and sentences on values that are missing in them. */
interface Written {
  readonly files: readonly RunFile[];
  readonly remarks: readonly string[];
}

/**
 * Writes the files and figures of a range, one after the other. Only files that the schedule itself wrote are replaced. A
 * figure that cannot be drawn is a remark, and does not fail the run.
 *
 * @returns what was written, and the faults of the other files
 */
export async function writeOutputs(
  connection: OpenConnection,
  named: readonly NamedOutput[],
  writing: Writing,
): Promise<Written & { readonly problems: readonly AppFault[] }> {
  const files: RunFile[] = [];
  const problems: AppFault[] = [];
  const remarks: string[] = [];
  for (const one of named) {
    if (writing.signal.aborted) break;
    const { path } = one;
    const written = path.ok ? await writeOne(connection, one, path.value, writing) : path;
    if (written.ok) {
      files.push(...written.value.files);
      remarks.push(...written.value.remarks);
    } else if (one.kind === "file") problems.push(written.error);
    else remarks.push(`A figure was not saved: ${written.error.message}`);
  }
  return { files, problems, remarks };
}

async function writeOne(
  connection: OpenConnection,
  output: WantedOutput,
  path: string,
  writing: Writing,
): Promise<Result<Written, AppFault>> {
  const figure = output.kind === "figure" ? figureRequest(output, writing.look) : null;
  if (figure?.ok === false) return figure;
  const unusable = output.kind === "file" ? await placeProblem(path, output.request.format) : null;
  const problem = unusable ?? (await foreignFileProblem(path, writing.earlier));
  if (problem) return failure(problem);
  const { signal, earlier, note, writeGuarded } = writing;
  const onComplete: OnComplete = async (files) => {
    // A file of the user may have appeared there during the export.
    const foreign = await foreignFileProblem(path, earlier);
    if (foreign) throw new FormatFailure("io", foreign.message);
    note(files.map((file) => ({ ...file, rows: 0 })));
  };
  if (output.kind === "file")
    return writeFile(connection, { ...output.request, path }, { writeGuarded, signal, onComplete });
  const drawn = figure && (await writing.draw(connection, { ...figure.value, path }, { signal, onComplete }));
  if (!drawn?.ok) return drawn ?? NO_NAME;
  const file = { path, bytes: drawn.value.bytes, rows: 0, modifiedMs: await modifiedMsOf(path) };
  return success({ files: [file], remarks: [] });
}

async function writeFile(
  connection: OpenConnection,
  request: ExportRequest,
  { writeGuarded, ...options }: Pick<Writing, "writeGuarded" | "signal"> & { readonly onComplete: OnComplete },
): Promise<Result<Written, AppFault>> {
  const { path, format } = request;
  const answer = await writeGuarded(path, () =>
    exportSeries(connection.cache, dataSource(connection), request, options),
  );
  if (!answer.ok) return answer;
  const { files, rows, satelliteProblems, unknownStationIds } = answer.value;
  const written =
    FORMATS[format].isFolder === true ? [{ path, bytes: files.reduce((sum, f) => sum + f.bytes, 0) }] : files;
  // The rows of an export count once, however many files it has.
  const described = written.map(async (file, i) => ({
    ...file,
    rows: i === 0 ? rows : 0,
    modifiedMs: await modifiedMsOf(file.path),
  }));
  const sentences = [unknownStationsSentence(unknownStationIds), missingValuesSentence(satelliteProblems)];
  const remarks = sentences.flatMap((sentence) => (sentence === null ? [] : [`${basename(path)}: ${sentence}`]));
  return success({ files: await Promise.all(described), remarks });
}
