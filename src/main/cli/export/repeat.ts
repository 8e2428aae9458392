import { resolve } from "node:path";
import type { ExportReport } from "#shared/file/export.ts";
import { downloadFor, requestAt, type SavedExport } from "#shared/file/savedExport.ts";
import { formatRange, type TimeRange } from "#shared/time/range.ts";
import type { OpenConnection } from "../../app/connections/connections.ts";
import {
  figureName,
  type FigureReport,
  figureRequest,
  vectorFormat,
  type WantedFigure,
} from "../../app/exports/figure.ts";
import { firstFileName } from "../../app/exports/place.ts";
import { EXIT, type ExitCode, usage } from "../exit.ts";
import { assertWritable, writeExport } from "./exporting.ts";
import { exitCodeOf, fetchOrWarn, incompleteData } from "./missing.ts";
import { shellWord, userPath } from "../options/paths.ts";
import { orStop, type Shell } from "../shell.ts";
import { bytes, many } from "../terminal/text.ts";

interface RepeatOptions {
  /** The folder; the current one by default. */
  readonly out: string | undefined;
  readonly fetch: true | undefined;
  readonly force: true | undefined;
  readonly allowIncomplete: true | undefined;
}

/**
 * Runs a saved export and prints one line.
 *
 * @returns `incomplete` if parts of its download were refused or failed, or stations are not in the catalogue
 * @throws Stop
 */
export async function repeatExport(shell: Shell, name: string, options: RepeatOptions): Promise<ExitCode> {
  const app = await shell.app();
  const saved = orStop(app.savedExports.find(name)).item;
  const connection = await openConnectionOf(shell, saved);
  const request = requestAt(saved, connection.session.serverNowMs());
  const fileName = orStop(firstFileName(connection, request, { template: saved.template, exportName: saved.name }));
  const path = resolve(userPath(options.out ?? "."), fileName);
  await assertWritable([path], saved.format, options.force ?? false);
  const look = app.settings.read().figure;
  const figure = { series: request, format: vectorFormat(look), template: saved.template, exportName: saved.name };
  const figurePath = saved.figure
    ? resolve(userPath(options.out ?? "."), orStop(figureName(connection, figure)))
    : null;
  if (figurePath !== null) await assertWritable([figurePath], "csv", options.force ?? false);
  const spec = downloadFor(request);
  const suggested = options.fetch ? null : `export --repeat ${shellWord(saved.name)} --fetch`;
  const fetched = await fetchOrWarn(shell, connection, spec, suggested);
  const report = await writeExport(shell, connection, { ...request, path });
  const drawn = figurePath === null ? null : await drawFigure(shell, connection, figure, figurePath);
  const incomplete = incompleteData(connection, spec);
  shell.output.document("export", {
    name: saved.name,
    connection: connection.record.name,
    range: request.range,
    ...report,
    ...(drawn ? { figure: drawn } : {}),
    incomplete,
  });
  shell.output.print(summary(saved.name, request.range, report));
  if (drawn) shell.output.print(`Figure: ${drawn.path}`);
  if (fetched !== EXIT.ok) return fetched;
  return report.unknownStationIds.length > 0 ? EXIT.incomplete : exitCodeOf(shell, incomplete, options);
}

/** Draws the figure; a failure is only a warning. */
async function drawFigure(
  shell: Shell,
  connection: OpenConnection,
  figure: WantedFigure,
  path: string,
): Promise<FigureReport | null> {
  const app = await shell.app();
  const request = figureRequest(figure, app.settings.read().figure);
  const drawn = request.ok
    ? await app.figure(connection, { ...request.value, path }, { signal: shell.signal })
    : request;
  if (drawn.ok) return drawn.value;
  shell.output.warn(`The figure was not saved: ${drawn.error.message}`);
  return null;
}

async function openConnectionOf(shell: Shell, saved: SavedExport): Promise<OpenConnection> {
  const record = (await shell.app()).connections.find(saved.connectionId);
  if (!record) throw usage(`The connection of “${saved.name}” was removed, and its cache with it.`);
  return shell.open(record);
}

/** `Daily: 2,880 rows, 61 kB, 2026-11-20T00:00:00Z → 2026-11-21T00:00:00Z: /data/Kallio.nc` */
function summary(name: string, range: TimeRange, { files, rows, stationIdsWithoutRows }: ExportReport): string {
  const size = files.reduce((sum, f) => sum + f.bytes, 0);
  const without = stationIdsWithoutRows.length;
  const words = [
    many(rows, "row"),
    bytes(size),
    ...(without > 0 ? [`${many(without, "station")} without a row`] : []),
    formatRange(range),
  ];
  return `${name}: ${words.join(", ")}: ${files.map((f) => f.path).join(", ")}`;
}
