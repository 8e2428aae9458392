import { stat } from "node:fs/promises";
import { extname, resolve } from "node:path";
import type { LayoutReport } from "#formats/source.ts";
import { type ExportReport, type ExportRequest, MOSTLY_EMPTY, unknownStationsSentence } from "#shared/file/export.ts";
import { EXPORT_FORMATS, type ExportFormat, FORMATS } from "#shared/file/formats.ts";
import { uniqueFileNames } from "#shared/file/fileName.ts";
import { missingValuesSentence } from "#shared/satellites/problems.ts";
import { percent } from "#shared/series/statistics.ts";
import { stationLabels } from "#shared/service/catalogue.ts";
import { success } from "#shared/service/error.ts";
import type { OpenConnection } from "../../app/connections/connections.ts";
import { splitStations } from "../../export/source.ts";
import { existingOutputs, firstFileName, placeProblem } from "../../app/exports/place.ts";
import { read, type Word } from "../command.ts";
import { EXIT, Stop, stopFor, usage } from "../exit.ts";
import { userPath } from "../options/paths.ts";
import { orStop, type Shell } from "../shell.ts";
import { type Output, streamErrors } from "../terminal/output.ts";
import { openStatus } from "../terminal/progress.ts";
import { bytes, many } from "../terminal/text.ts";

/**
 * Checks that files can be written to these paths, before any work is done.
 *
 * @param isForced whether existing files may be replaced
 * @throws Stop
 */
export async function assertWritable(paths: readonly string[], format: ExportFormat, isForced: boolean): Promise<void> {
  for (const path of paths) {
    const problem = await placeProblem(path, format);
    if (problem) throw stopFor(problem);
    const mayReplace = !isForced && !goesToStdout(path) && !(await isDevice(path));
    const [existing] = mayReplace ? await existingOutputs(path) : [];
    if (existing !== undefined) {
      const sentence = `${existing} exists already, and is not replaced without --force. Nothing was written.`;
      throw new Stop(EXIT.disk, sentence);
    }
  }
}

/** Whether a path is a pipe, a terminal or another device, which is written to, not replaced. */
async function isDevice(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  return found !== null && !found.isFile() && !found.isDirectory();
}

/** Refuses to write bytes that no terminal can show. @throws Stop */
export function refuseTerminal(path: string, format: ExportFormat, { width }: Pick<Output, "width">): void {
  if (width === null || !goesToStdout(path) || TEXT_FORMATS.has(format)) return;
  throw usage(`A terminal cannot show ${format}: pipe the output to a program, or name a file with --out.`);
}

const TEXT_FORMATS: ReadonlySet<ExportFormat> = new Set(["csv", "sinex"]);

const ENDINGS = [...new Set(EXPORT_FORMATS.map((f) => FORMATS[f].extension))].map((e) => `.${e}`).join(", ");

export function formatWord(meaning: string): Word<string | undefined> {
  // `formatOf` accepts endings of names too.
  return { ...read(`${meaning} (default: by the name, ${ENDINGS})`, success<string>), choices: EXPORT_FORMATS };
}

/** Further file name endings. */
const OTHER_ENDINGS: Readonly<Record<string, ExportFormat>> = {
  nc4: "netcdf",
  netcdf: "netcdf",
  nc3: "netcdf3",
  db: "sqlite",
  sqlite3: "sqlite",
};

/** The format with this name or file name ending. */
export function canonicalFormat(word: string): ExportFormat | undefined {
  return EXPORT_FORMATS.find((f) => f === word) ?? EXPORT_FORMATS.find((f) => FORMATS[f].extension === word);
}

/** The named format, or else the one of the file name's ending. @throws Stop */
export function formatOf(path: string, named: string | undefined): ExportFormat {
  const ending = extname(path).slice(1).toLowerCase();
  const known =
    named === undefined
      ? (EXPORT_FORMATS.find((f) => FORMATS[f].extension === ending) ?? OTHER_ENDINGS[ending])
      : canonicalFormat(named);
  if (known) return known;
  throw usage(
    named === undefined
      ? `The name ${path} does not determine a format. Use one of the endings ${ENDINGS}, or --format (${EXPORT_FORMATS.join(", ")}).`
      : `There is no format “${named}”. Available formats: ${EXPORT_FORMATS.join(", ")}.`,
  );
}

/** Path for `--out -`. */
export const STDOUT = "/dev/stdout";

/** Whether an export is written to stdout. */
export function goesToStdout(path: string): boolean {
  return /^\/(dev\/(stdout|fd\/1)|proc\/self\/fd\/1)$/.test(path);
}

/** `Layout: a grid of 2,880 times and 3 stations, 2 % of it without a row.` */
function layoutWords({ layout, stations, moments, emptyShare }: LayoutReport): string {
  if (layout === "ragged") return `Layout: ragged, ${many(stations, "station")} one after the other.`;
  const advice = emptyShare > MOSTLY_EMPTY ? " With --layout ragged the file is smaller." : "";
  return `Layout: a grid of ${many(moments ?? 0, "time")} and ${many(stations, "station")}, ${percent(emptyShare, 0)} of it without a row.${advice}`;
}

/** Writes a file and shows the progress. @throws Stop */
export async function writeExport(
  shell: Shell,
  connection: OpenConnection,
  request: ExportRequest,
): Promise<ExportReport> {
  const { output, signal } = shell;
  const app = await shell.app();
  const status = openStatus(output);
  const onProgress = (rows: number): void =>
    status.show({ data: { rows }, line: () => `Writing ${request.path}: ${many(rows, "row")}` });
  const onLayout = (told: LayoutReport): void => output.note(layoutWords(told));
  const answer = await app
    .export(connection, { ...request, path: userPath(request.path) }, { signal, onProgress, onLayout })
    .finally(() => status.end());
  const report = orStop(answer);
  for (const sentence of [
    unknownStationsSentence(report.unknownStationIds),
    missingValuesSentence(report.satelliteProblems),
  ])
    if (sentence !== null) output.warn(sentence);
  return report;
}

/**
 * Writes a file and prints its content and the stations without data.
 *
 * @param isNote whether to print to stderr, because stdout has another content
 * @throws Stop
 */
export async function exportSelection(
  shell: Shell,
  connection: OpenConnection,
  request: ExportRequest,
  isNote = false,
): Promise<ExportReport> {
  const { output } = shell;
  const report = await writeExport(shell, connection, request);
  // Messages must not mix with data in a pipe.
  const print = (text: string): void => (isNote || goesToStdout(request.path) ? output.note(text) : output.print(text));
  if (goesToStdout(request.path) && streamErrors.isClosed(process.stdout)) {
    print("The reader closed the output before its end.");
    return report;
  }
  const names = stationLabels(connection.cache.catalogue());
  print(report.files.map((f) => `${f.path}  ${bytes(f.bytes)}`).join("\n"));
  print(`${many(report.rows, "row")} in all.`);
  if (report.updated) {
    const { written, unchanged, removed, kept } = report.updated;
    print(`${many(written, "month")} of stations written, ${unchanged} unchanged, ${removed} removed.`);
    const listed = kept.map(({ stationId, month }) => `“${names.get(stationId) ?? stationId}” ${month}`);
    if (listed.length > 0)
      output.warn(
        `Kept as they are, because the cache lacks data that were cached when they were written: ${listed.join(", ")}. ` +
          "Download them (--fetch), then update again.",
      );
  }
  const silentIds = report.stationIdsWithoutRows.filter((id) => !report.unknownStationIds.includes(id));
  const without = silentIds.map((id) => `“${names.get(id) ?? id}”`);
  if (without.length > 0) print(`Stations without data: ${without.join(", ")}`);
  return report;
}

/**
 * Creates one export, or one for each station of the catalogue, with file names by a template.
 *
 * @param folder as typed
 * @throws Stop if the template cannot be used
 */
export function namedRequests(
  connection: OpenConnection,
  request: Omit<ExportRequest, "path">,
  options: { readonly template: string; readonly folder: string; readonly isPerStation: boolean },
): ExportRequest[] {
  const { stations } = splitStations(connection.cache.catalogue(), request.stationIds);
  const requests = options.isPerStation ? stations.map(({ id }) => ({ ...request, stationIds: [id] })) : [request];
  const names = requests.map((one) => orStop(firstFileName(connection, one, { template: options.template })));
  const unique = uniqueFileNames(names);
  const folder = userPath(options.folder);
  return requests.map((one, i) => ({ ...one, path: resolve(folder, unique[i] ?? "") }));
}
