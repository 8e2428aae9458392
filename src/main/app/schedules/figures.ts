import { join } from "node:path";
import type { AppFault } from "#shared/fault.ts";
import type { FigureSettings } from "#shared/file/figure.ts";
import { uniqueFileNames } from "#shared/file/fileName.ts";
import type { ScheduleRun } from "#shared/schedule/run.ts";
import { failure, type Result } from "#shared/service/error.ts";
import type { OpenConnection } from "../connections/connections.ts";
import type { DrawFigure, FigureReport } from "../exports/figure.ts";
import { figureName, figureRequest, type WantedFigure } from "../exports/savedFigure.ts";
import { type EarlierFiles, foreignFileProblem, modifiedMsOf } from "./earlierFiles.ts";

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
