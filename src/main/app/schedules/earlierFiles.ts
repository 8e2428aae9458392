import { open, stat } from "node:fs/promises";
import { isSidecarStart, SIDECAR_START_BYTES } from "#formats/sidecar.ts";
import type { AppFault } from "#shared/fault.ts";
import type { ScheduleRun } from "#shared/schedule/run.ts";
import { existingOutputs } from "../exports/place.ts";

type RunFile = ScheduleRun["files"][number];

/** Some disks keep times to two seconds. */
const TIME_TOLERANCE_MS = 2_000;

/** Files of earlier runs of a schedule, by path, as the newest run that wrote them left them. */
export type EarlierFiles = ReadonlyMap<string, RunFile>;

/** @param runs newest first */
export function earlierFiles(runs: readonly ScheduleRun[]): EarlierFiles {
  return new Map(runs.toReversed().flatMap((run) => run.files.map((file) => [file.path, file] as const)));
}

/**
 * Returns why a run must not write to a path: a file there, beside it or a description is not one that an earlier run left
 * there. Otherwise null.
 */
export async function foreignFileProblem(path: string, earlier: EarlierFiles): Promise<AppFault | null> {
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
  return (await isUnchanged(written)) ? null : "was changed or replaced after this schedule wrote it";
}

/** Whether a file is as the run left it. The writer of a folder checks its content itself. */
async function isUnchanged({ path, bytes, modifiedMs }: RunFile): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  if (found === null || found.isDirectory()) return true;
  if (found.size !== bytes) return false;
  return modifiedMs === null || Math.abs(found.mtimeMs - modifiedMs) <= TIME_TOLERANCE_MS;
}

/** When a file was changed, UTC milliseconds; null if that cannot be read. */
export async function modifiedMsOf(path: string): Promise<number | null> {
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
