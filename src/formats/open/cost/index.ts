import { cellOfEpochs } from "#shared/series/cell.ts";
import { DAY_MS } from "#shared/time/utc.ts";
import { unreadable } from "../../error.ts";
import type { ForeignFile } from "../../foreign/file.ts";
import type { Pace } from "../../source.ts";
import { common, createNotes } from "../notes.ts";
import { PLACE, placeTexts } from "../sites.ts";
import { SAMPLE_ROWS } from "../table/lines.ts";
import { formatHeads } from "../table/recipeSource.ts";
import type { TableSource } from "../table/source.ts";
import { textLines } from "../text.ts";
import { COLUMNS, type CostHead, costHead, costRow, HEAD_LINES } from "./records.ts";

const NO_HEAD = "Blocks without a station or a time that can be read are left out";
const SHORT = "Blocks have fewer rows than they announce; the file may be incomplete";
const NO_ROWS = "This COST-716 file has no rows that could be shown. Download it again.";

/** Whether a text has this format; its first block may be preceded by a line of dashes. */
export function isCost(text: string): boolean {
  return /^\s*(-{10,}\s*)?COST-716\b/.test(text);
}

/**
 * Opens a COST-716 V2 file, the format of E-GVAP, as a table: nine header lines and rows for each station. The layout follows
 * published examples of V2.2a and other programs (Midgard of Kartverket, Ginan of Geoscience Australia; COSMO for V1.0 and
 * V2.0), because the format description was not available. Epochs are UTC. Slant delays are left out.
 *
 * @throws FormatFailure
 */
export async function costSource(file: ForeignFile, pace: Pace): Promise<TableSource> {
  const blocks = new Blocks();
  const sample: string[][] = [];
  const filled = new Set<number>();
  for (const lines of textLines(file)) {
    const records = lines.flatMap((line) => blocks.records(line));
    for (const record of records) record.forEach((field, i) => field !== "" && filled.add(i));
    sample.push(...records.slice(0, SAMPLE_ROWS - sample.length));
    await pace.step();
  }
  blocks.end();
  if (sample.length === 0) throw unreadable(NO_ROWS);
  const { heads } = blocks;
  // Most files are of one centre, and have only a few quantities.
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
      const own = new Blocks();
      for (const lines of textLines(file)) yield lines.flatMap((line) => own.records(line).map(pick));
    },
    cellOf: (timesMs, station) => cellOfEpochs(timesMs, heads.find(({ code }) => code === station)?.samplingMs ?? null),
    remarks: blocks.remarks(),
  };
}

const CENTRE = 0;
const SITE = ["centre", "station", "domes", ...PLACE, "time"];

/** Reads a file line by line. */
class Blocks {
  /** Of the blocks with rows. */
  readonly heads: CostHead[] = [];
  #headLines: string[] | null = null;
  #head: CostHead | null = null;
  /** Day and time of day of the last row. */
  #dayMs = Number.NaN;
  #timeOfDayMs = 0;
  #left = 0;
  /** How often sentences apply. */
  readonly #counts = new Map<string, number>();

  /** The record of a line; none for others than rows. */
  records(line: string): string[][] {
    if (isCost(line)) {
      this.end();
      this.#headLines = [line];
    } else if (this.#headLines) this.#headLine(this.#headLines, line);
    else if (this.#head) return this.#row(this.#head, line);
    return [];
  }

  end(): void {
    // An incomplete header counts as missing rows.
    if (this.#headLines || (this.#head && this.#left > 0)) this.#count(SHORT);
    this.#head = this.#headLines = null;
  }

  remarks(): string[] {
    const notes = createNotes();
    for (const [sentence, times] of this.#counts) notes.count(sentence, times);
    return notes.all();
  }

  #count(sentence: string): void {
    this.#counts.set(sentence, 1 + (this.#counts.get(sentence) ?? 0));
  }

  #headLine(lines: string[], line: string): void {
    lines.push(line);
    if (lines.length !== HEAD_LINES) return;
    this.#head = costHead(lines);
    this.#headLines = null;
    if (this.#head === null) return this.#count(NO_HEAD);
    this.#dayMs = Math.floor(this.#head.firstMs / DAY_MS) * DAY_MS;
    this.#timeOfDayMs = this.#head.firstMs - this.#dayMs;
    this.#left = this.#head.rows;
  }

  #row(head: CostHead, line: string): string[][] {
    const row = costRow(line);
    if (row === "slant") this.#count("Slant delays are left out");
    if (row === "unread") this.#count("Rows that cannot be read are left out");
    if (typeof row === "string") return [];
    // Rows have no date: a time that jumps back by more than half a day starts the next day.
    if (row.timeOfDayMs < this.#timeOfDayMs - DAY_MS / 2) this.#dayMs += DAY_MS;
    this.#timeOfDayMs = row.timeOfDayMs;
    this.#left--;
    if (row.isPoor) this.#count("Rows that the file itself marks as poor are shown");
    if (this.heads.at(-1) !== head) this.heads.push(head);
    const { code, centre, domes, position } = head;
    const time = new Date(this.#dayMs + row.timeOfDayMs).toISOString();
    return [[centre, code, domes ?? "", ...placeTexts(position), time, ...row.values]];
  }
}
