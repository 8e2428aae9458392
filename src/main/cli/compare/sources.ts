import { basename } from "node:path";
import type { FormatError } from "#formats/error.ts";
import { type GridMethod, type Grouping, GROUPINGS, type Pairing } from "#shared/comparison.ts";
import type { AppFault } from "#shared/fault.ts";
import type { FileSeries } from "#shared/file/opened.ts";
import type { ScalarVariable } from "#shared/service/variables.ts";
import { describeSource } from "../../app/connections/connectionRecords.ts";
import type { OpenConnection } from "../../app/connections/connections.ts";
import type { Pressure } from "../../app/comparison/derivedPwv.ts";
import {
  type ComparisonSide,
  type FileContent,
  filePressure,
  fileSide,
  fixedSide,
} from "../../app/comparison/fileSource.ts";
import { cacheSource, type Source } from "../../app/comparison/sources.ts";
import { fileFault } from "../../app/files/read.ts";
import { stopFor, usage } from "../exit.ts";
import { columnOptions, columnWords } from "../options/columns.ts";
import { userFile } from "../options/paths.ts";
import { cachedCatalogue, namedStations, noteUnlisted } from "../options/selection.ts";
import type { Shell } from "../shell.ts";
import { failure, success } from "#shared/service/error.ts";
import type { Parsed } from "../command.ts";
import { parseDuration } from "../options/parse.ts";

interface SourceOptions {
  readonly variable: ScalarVariable;
  readonly stations: readonly string[] | undefined;
  readonly interval: number | undefined;
  readonly raw: true | undefined;
  /** Used to derive PWV from the ZTD of files without PWV. */
  readonly pressure: Pressure | null;
  readonly grid: GridMethod;
}

interface OpenedSide {
  readonly side: ComparisonSide;
  close(): void;
}

/** Opens `cache`, `cache:CONNECTION` or a path. @throws Stop */
export async function openSide(shell: Shell, word: string, options: SourceOptions): Promise<OpenedSide> {
  if (word === "cache") return withoutFile(await cacheOf(shell, await shell.connection(), options));
  if (!word.startsWith("cache:")) return openFile(shell, word, options);
  const name = word.slice("cache:".length);
  const app = await shell.app({ mayCreate: name === "demo" });
  const record = name === "demo" ? app.connections.demo() : app.connections.find(name);
  if (!record) throw usage(`There is no connection “${name}”.`);
  return withoutFile(await cacheOf(shell, await shell.open(record), options));
}

function withoutFile(source: Source): OpenedSide {
  return { side: fixedSide(source), close() {} };
}

async function cacheOf(
  shell: Shell,
  connection: OpenConnection,
  { variable, stations: words = ["all"], interval, raw: isRaw }: SourceOptions,
): Promise<Source> {
  const app = await shell.app();
  const catalogue = cachedCatalogue(shell, connection);
  const stations = namedStations(connection, catalogue, words);
  noteUnlisted(shell, connection, words);
  const intervalSeconds = interval ?? null;
  const raw = isRaw ?? false;
  const { name } = connection.record;
  const rows = intervalSeconds === null ? "every observation" : `means over ${intervalSeconds} s`;
  return cacheSource({
    name,
    details: [describeSource(connection.record), `Values: ${rows}${raw ? ", including rejected values" : ""}`],
    stations,
    variable,
    intervalSeconds,
    read: (stationId, range) =>
      app.rows(connection, { intervalSeconds, raw, range, resampled: false }, stationId, [variable]),
  });
}

async function openFile(shell: Shell, word: string, { variable, pressure, grid }: SourceOptions): Promise<OpenedSide> {
  const { content, close } = await openContent(shell, word);
  const { name, series } = content;
  const holds = (wanted: ScalarVariable): boolean => series.some(({ quantity }) => quantity.variable === wanted);
  const canDerive = variable === "pwv" && holds("ztd");
  if (holds(variable) || (canDerive && pressure))
    return { side: fileSide(content, { variable, pressure, grid }), close };
  close();
  if (canDerive) throw usage(`${name} has ztd but no pwv. --pressure derives PWV from it.`);
  throw usage(`${name} has no ${variable} in a unit of length or mass per area. It has ${quantitiesOf(series)}.`);
}

/** Parses `--pressure`: "standard", a number of hPa, or a file. @throws Stop */
export async function openPressure(
  shell: Shell,
  word: string,
  grid: GridMethod,
): Promise<{ readonly pressure: Pressure; close(): void }> {
  if (word === "standard") return { pressure: { kind: "standard" }, close() {} };
  const hPa = Number(word);
  if (word.trim() !== "" && Number.isFinite(hPa)) {
    if (hPa < MIN_HPA || hPa > MAX_HPA)
      throw usage(`${word} hPa is not a pressure at the surface. Write ${MIN_HPA} to ${MAX_HPA}, standard, or a file.`);
    return { pressure: { kind: "value", hPa }, close() {} };
  }
  const { content, close } = await openContent(shell, word);
  const pressure = filePressure(content, grid);
  if (pressure) return { pressure, close };
  close();
  throw usage(
    `${content.name} has no pressure at its sites in hPa, mbar, kPa, Pa, mmHg or inHg. It has ${quantitiesOf(content.series)}.`,
  );
}

const MIN_HPA = 300;
const MAX_HPA = 1_100;

function quantitiesOf(series: readonly FileSeries[]): string {
  const names = series.map(({ quantity: { name, unit } }) => (unit ? `${name} (${unit})` : name));
  return [...new Set(names)].slice(0, 12).join(", ");
}

/** A file that cannot be read has the exit code of “open”, whether it is absent, damaged or of another kind. */
function unreadableSource(error: FormatError, file: { readonly path: string; readonly name: string }): AppFault {
  const fault = fileFault(error, file);
  if (error.kind === "undecided")
    return {
      ...fault,
      message: `${fault.message} Write zenith open ${file.path} ${columnWords(error.choices ?? [])} first.`,
    };
  return fault.kind === "cancelled" ? fault : { ...fault, kind: "disk" };
}

/** @throws Stop */
async function openContent(shell: Shell, word: string): Promise<{ readonly content: FileContent; close(): void }> {
  const { path, ...member } = userFile(word);
  const opened = await shell.openFile(path, { ...member, ...columnOptions(shell) });
  shell.signal.throwIfAborted();
  if (!opened.ok) throw stopFor(unreadableSource(opened.error, { path, name: path }));
  const file = opened.value;
  const name = basename(path);
  const content: FileContent = {
    name,
    description: file,
    series: file.series,
    grids: file.grids ?? [],
    read: file.rows,
    readPoints: file.gridPoints,
  };
  return { content, close: () => file.close() };
}

const PAIRING_HINT = "Write nearest, nearest:60s, mean:1h, linear or linear:30m.";

/** Parses `nearest`, `nearest:60s`, `mean:1h`, `linear` or `linear:30m`. */
export function parsePairing(text: string): Parsed<Pairing> {
  const [, kind, words] = /^(nearest|mean|linear)(?::(.+))?$/.exec(text.trim()) ?? [];
  if (kind === undefined) return failure(`“${text}” is not a way to pair epochs. ${PAIRING_HINT}`);
  const seconds = words === undefined ? null : parseDuration(words);
  if (seconds !== null && !seconds.ok) return seconds;
  const ms = seconds === null ? null : seconds.value * 1_000;
  if (kind === "nearest") return success({ kind, toleranceMs: ms });
  if (kind === "linear") return success({ kind, mostGapMs: ms });
  return ms === null ? failure(`“mean” needs an interval. ${PAIRING_HINT}`) : success({ kind: "mean", intervalMs: ms });
}

export function parseGroupings(text: string): Parsed<Grouping[]> {
  const words = text.split(",").map((word) => word.trim());
  const unknown = words.find((word) => !GROUPINGS.some((grouping) => grouping === word));
  if (unknown !== undefined) return failure(`“${unknown}” is not a grouping. Available: ${GROUPINGS.join(", ")}.`);
  return success(GROUPINGS.filter((grouping) => words.includes(grouping)));
}

interface MatchWords {
  readonly a: string;
  /** Null: no match; undefined: automatic. */
  readonly b: string | null | undefined;
}

/** Parses `SITE=STATION`, `SITE=none` or `SITE=auto`. */
export function parseMatch(text: string): Parsed<MatchWords> {
  const at = text.indexOf("=");
  const [a, b] = [text.slice(0, at).trim(), text.slice(at + 1).trim()];
  if (at < 1 || a === "" || b === "")
    return failure(`“${text}” is not a match. Write SITE=STATION, SITE=none or SITE=auto.`);
  return success({ a, b: b === "none" ? null : b === "auto" ? undefined : b });
}
