import { cellOfEpochs } from "#shared/series/cell.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "#shared/time/utc.ts";
import { unreadable } from "../error.ts";
import type { ForeignFile } from "../foreign/file.ts";
import type { Pace } from "../source.ts";
import { type ColumnFacts, describedBy } from "./meaning/columns.ts";
import { common, createNotes, type Notes } from "./notes.ts";
import { DOMES, heightIn, PLACE, placeTexts, positionOf } from "./sites.ts";
import { formatHeads } from "./table/heads.ts";
import { SAMPLE_ROWS } from "./table/lines.ts";
import type { TableSource } from "./table/source.ts";
import { textLines } from "./text.ts";
import { momentOf } from "./time/moment.ts";

const NO_ROWS = "This COST-716 file has no rows that could be shown. Download it again.";

/** Whether a text has this format; its first block may be preceded by a line of dashes. */
export function isCost(text: string): boolean {
  return /^\s*(-{10,}\s*)?COST-716\b/.test(text);
}

/**
 * Opens a COST-716 V2 file, the format of E-GVAP, as a table: nine header lines and rows for each station. The layout
 * follows published examples of V2.2a and other programs (Midgard of Kartverket, Ginan of Geoscience Australia; COSMO
 * for V1.0 and V2.0), because the format description was not available. Epochs are UTC. Slant delays are left out.
 * @throws FormatFailure
 */
export async function costSource(file: ForeignFile, pace: Pace): Promise<TableSource> {
  const [heads, notes, sample, filled] = [[] as Head[], createNotes(), [] as string[][], new Set<number>()];
  for (const records of recordsIn(file, heads, notes)) {
    for (const record of records) record.forEach((field, i) => field !== "" && filled.add(i));
    sample.push(...records.slice(0, SAMPLE_ROWS - sample.length));
    await pace.step();
  }
  if (sample.length === 0) throw unreadable(NO_ROWS);
  // Most files belong to one centre, and have only a few quantities.
  const isOfSeveral = new Set(heads.map(({ centre }) => centre)).size > 1;
  const columns = [...SITE, ...COLUMNS];
  const shown = [...columns.keys()].filter((i) => (i === CENTRE ? isOfSeveral : i < SITE.length || filled.has(i)));
  const pick = <T>(fields: readonly T[]): T[] => shown.flatMap((i) => fields[i] ?? []);
  return {
    format: "cost",
    title: heads[0]?.project || null,
    source: common(heads.map(({ source }) => source)) || null,
    heads: formatHeads("cost", pick(columns), sample.map(pick)),
    *records() {
      for (const records of recordsIn(file, [], createNotes())) yield records.map(pick);
    },
    cellOf: (timesMs, station) => cellOfEpochs(timesMs, heads.find(({ code }) => code === station)?.samplingMs ?? null),
    remarks: notes.all(),
  };
}

const CENTRE = 0;
const SITE = ["centre", "station", "domes", ...PLACE, "time"];

/** Yields the records of a file. @param heads is told those of the blocks with rows */
function* recordsIn(file: ForeignFile, heads: Head[], notes: Notes): Iterable<string[][]> {
  let headLines: string[] | null = null;
  let head: Head | null = null;
  let [lastMs, left] = [Number.NaN, 0];
  const end = (): void => {
    // An incomplete header counts as missing rows.
    if (headLines || (head && left > 0))
      notes.count("Blocks have fewer rows than they announce; the file may be incomplete");
    head = headLines = null;
  };
  const recordOf = (line: string): string[][] => {
    if (isCost(line)) {
      end();
      headLines = [];
    }
    if (headLines) {
      if (headLines.push(line) < HEAD_LINES) return [];
      [head, headLines] = [headOf(headLines), null];
      if (head === null) notes.count("Blocks without a station or a time that can be read are left out");
      else [lastMs, left] = [head.firstMs, head.rows];
      return [];
    }
    const row = head && rowOf(line);
    if (typeof row === "string") notes.count(row);
    if (head === null || row === null || typeof row === "string") return [];
    // Rows have no date: a time that jumps back by more than half a day starts the next day.
    const timeMs = Math.floor(lastMs / DAY_MS) * DAY_MS + row.timeOfDayMs;
    lastMs = timeMs < lastMs - DAY_MS / 2 ? timeMs + DAY_MS : timeMs;
    left--;
    if (row.isPoor) notes.count("Rows that the file itself marks as poor are shown");
    if (heads.at(-1) !== head) heads.push(head);
    const { code, centre, domes, position } = head;
    return [[centre, code, domes, ...placeTexts(position), new Date(lastMs).toISOString(), ...row.values]];
  };
  for (const lines of textLines(file)) yield lines.flatMap(recordOf);
  end();
}

type Head = NonNullable<ReturnType<typeof headOf>>;

const HEAD_LINES = 9;

/**
 * Parses a header. Lines: format, project and status; station, DOMES number and name; receiver and antenna; latitude,
 * longitude (degrees), heights of the antenna above ellipsoid, geoid and marker (m); times of the first row and of
 * processing; centre, method, orbits and meteorological data; intervals (min); flags; number of rows.
 * @returns null without a station or a time of the first row
 */
function headOf(lines: readonly string[]) {
  const [format = "", site = "", , place = "", times = "", makers = "", intervals = "", , rows = ""] = lines;
  const [code = "", domes = ""] = site.trim().split(/\s+/);
  // A second time is that of processing.
  const firstMs = momentOf(times.trim().split(/\s+/).slice(0, 2).join(" "));
  if (code === "" || Number.isNaN(firstMs)) return null;
  const [latitudeDeg = Number.NaN, longitudeDeg = Number.NaN, ellipsoid, geoid] = place.trim().split(/\s+/).map(Number);
  const heights = { ellipsoid: heightIn(ellipsoid), geoid: heightIn(geoid) };
  const [centre = "", ...how] = fieldsIn(makers);
  return {
    code,
    domes: DOMES.test(domes) ? domes : "",
    project: fieldsIn(format).slice(1, 3).filter(Boolean).join(", "),
    centre,
    source: [centre, ...how.slice(0, 2)].filter(Boolean).join(", "),
    position: positionOf({ latitudeDeg, longitudeDeg, heights }),
    firstMs,
    samplingMs: MINUTE_MS * (Number.parseInt(intervals, 10) || 0) || null,
    rows: Number.parseInt(rows, 10),
  };
}

/** Splits a line into columns of twenty-five characters, five of them blank. */
function fieldsIn(line: string): string[] {
  return Array.from({ length: Math.ceil(line.length / 25) }, (_, i) => line.slice(25 * i, 25 * (i + 1)).trim());
}

const column = (name: string, unit: string | null, longName: string): ColumnFacts => {
  return { ...describedBy({ name, unit, longName, standardName: null }), isOfFormat: true };
};

/** Quantities of a row, after its time and flags. */
const COLUMNS = [
  column("ZTD", "mm", "Zenith total delay"),
  column("ZTD_sigma", "mm", "Zenith total delay, standard deviation"),
  column("ZWD", "mm", "Zenith wet delay"),
  column("IWV", "kg m-2", "Integrated water vapour"),
  column("pressure", "hPa", "Pressure used for ZWD"),
  column("temperature", "K", "Temperature used for IWV"),
  column("humidity", "%", "Relative humidity used for IWV"),
  column("gradient_north", "mm", "Delay gradient, north"),
  column("gradient_east", "mm", "Delay gradient, east"),
  column("gradient_north_sigma", "mm", "Delay gradient, north, standard deviation"),
  column("gradient_east_sigma", "mm", "Delay gradient, east, standard deviation"),
  column("TEC", null, "Vertically integrated electron content (TECU; its decadic logarithm before V2.2)"),
];
/** Start and width of the columns: large values may touch each other. The last one is wider. */
const [VALUES_AT, WIDTH] = [18, 7];

const ROW = /^\s*(\d{1,2})\s+(\d{1,2})\s+(\d{1,2})\s+([0-9a-f]{8})\s/i;
/** Satellite, slant delay, deviation, azimuth and elevation. */
const SLANT = /^\s*[A-Z]\d{1,3}\s+-?\d/;
/** A line of dashes, and the number of slant delays. */
const NO_ROW = /^\s*(-{10,}\s*|\d+\s*)?$/;
const NO_VALUE = /^(-9+\.9*|\*+|)$/;
const NO_GRADIENT = /^-?9{2,}\.9+$/;
const POOR = 1 << 6;
const FLAGS_INVALID = 2 ** 31;

/** null: a line that is not a row; a sentence on one that is left out. */
function rowOf(line: string) {
  const unread = "Rows that cannot be read are left out";
  const [whole = "", hours, minutes, seconds, flagText = ""] = ROW.exec(line) ?? [];
  if (whole === "") return SLANT.test(line) ? "Slant delays are left out" : NO_ROW.test(line) ? null : unread;
  const [hour, minute, second] = [Number(hours), Number(minutes), Number(seconds)];
  const texts = line.slice(whole.length).trim().split(/\s+/);
  const startOf = (i: number): number => VALUES_AT + WIDTH * i + (i === COLUMNS.length ? 1 : 0);
  const inColumns = COLUMNS.map((_, i) => line.slice(startOf(i), startOf(i + 1)).trim());
  const fields = texts.length === COLUMNS.length ? texts : inColumns;
  if (hour > 24 || minute > 59 || second > 60 || fields.every((field) => field === "")) return unread;
  const flags = Number.parseInt(flagText, 16);
  // In gradients, 999.99 also means “no value”.
  const isMissing = (field: string, i: number): boolean =>
    NO_VALUE.test(field) || (COLUMNS[i]?.heading.startsWith("gradient") === true && NO_GRADIENT.test(field));
  return {
    timeOfDayMs: hour * HOUR_MS + minute * MINUTE_MS + second * SECOND_MS,
    values: fields.map((field, i) => (isMissing(field, i) ? "" : field)),
    isPoor: flags < FLAGS_INVALID && (flags & POOR) !== 0,
  };
}
