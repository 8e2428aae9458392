import { count } from "#shared/text.ts";
import { FormatFailure } from "../../error.ts";
import type { Pace } from "../../pace.ts";
import type { ColumnCache } from "../columnCache.ts";
import { Gathering } from "../gathered/index.ts";
import { textLines } from "../lines.ts";
import { createNotes, type Notes, quoted } from "../notes.ts";
import type { Recognized } from "../quantity.ts";
import type { SeriesFile } from "../types.ts";
import { epochMs, utcOfGps } from "./epoch.ts";
import { factorOfRow } from "./fields.ts";
import { Head } from "./head.ts";

const NO_ROWS =
  "This SINEX_TRO file has no rows that could be shown: its block TROP/SOLUTION is missing or empty. Download it again.";
const OTHER_COLUMNS =
  "No row of this SINEX_TRO file has as many columns as it names in TROP/DESCRIPTION, so that its numbers have no meaning. Ask its makers for one that fits.";
const NO_FIELDS =
  "This SINEX_TRO file does not name the columns of TROP/SOLUTION, so that its numbers have no meaning. Ask its makers for one with TROP/DESCRIPTION.";

/**
 * Reads a file of SINEX_TRO: 2.00 (blocks TROP/DESCRIPTION, SITE/ID, SITE/COORDINATES, TROP/SOLUTION), and 0.01 and 1.00
 * with SOLUTION_FIELDS_n and TROP/STA_COORDINATES. The reader follows published example files and the readers of other
 * programs, not the text of the format's description. It takes columns by name, in any order and selection; it does not
 * read slant delays.
 *
 * @throws FormatFailure
 */
export async function describeSinex(path: string, cache: ColumnCache, pace: Pace): Promise<SeriesFile> {
  const gathering = new Gathering();
  try {
    const notes = createNotes();
    const reading = new Reading(gathering, notes, await headBehind(path, pace));
    for await (const lines of textLines(path)) {
      for (const line of lines) reading.line(line);
      await gathering.settle(pace);
    }
    const { head, fields } = reading.done();
    const about = { format: "sinex" as const, title: head.told("DESCRIPTION"), source: head.told("OUTPUT") };
    const groupOf = (code: string) => ({
      label: code,
      stationId: head.ownId(code) ?? code,
      satellite: null,
      position: head.position(code),
      domes: head.domes(code),
    });
    return await gathering.done(about, fields, groupOf, { notes, cache, pace });
  } catch (thrown) {
    gathering.close();
    throw thrown;
  }
}

/** What the blocks tell where the rows come before their description; nothing where they follow it. */
async function headBehind(path: string, pace: Pace): Promise<Head> {
  const head = new Head();
  let block = "";
  let isBehind = false;
  for await (const lines of textLines(path)) {
    for (const line of lines) {
      if (line.startsWith("+")) block = line.slice(1).trim().toUpperCase();
      else if (/^[-%]/.test(line)) block = "";
      else if (isBehind && block !== "TROP/SOLUTION") head.line(block, line);
      // What another file within this one says is not about these rows.
      if (isBehind && line.startsWith("%")) return head;
      if (!isBehind && block === "TROP/DESCRIPTION") return head;
      isBehind ||= block === "TROP/SOLUTION";
    }
    await pace.breathe();
  }
  return head;
}

/** Texts for “no value”: -999 in 2.00; older files have more nines, or asterisks. */
const NO_VALUE = /^-9{3,}(\.[09]*)?$|^\*+$/;
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

class Reading {
  readonly #gathering: Gathering;
  readonly #notes: Notes;
  readonly head: Head;
  #block = "";
  #fields: Recognized[] | null = null;
  #toUtc: (ms: number) => number = (ms) => ms;
  #hasEnded = false;
  #isBeyond = false;
  readonly #counts = { untimed: 0, unread: 0, other: 0 };

  constructor(gathering: Gathering, notes: Notes, head: Head) {
    this.#gathering = gathering;
    this.#notes = notes;
    this.head = head;
  }

  line(line: string): void {
    const mark = line[0];
    if (this.#isBeyond) return;
    if (mark === "%") this.#border(line);
    else if (mark === "+") this.#block = line.slice(1).trim().toUpperCase();
    else if (mark === "-") this.#block = "";
    else if (this.#block !== "TROP/SOLUTION") this.head.line(this.#block, line);
    else if (mark === "*") this.head.rowHeads(line);
    else if (line.trim() !== "") this.#row(line.trim().split(/\s+/));
  }

  /** The first line of a file, and its last one. */
  #border(line: string): void {
    this.#hasEnded = line.startsWith("%=END");
    this.#block = "";
    if (this.#hasEnded || this.#fields === null) return;
    // Its columns and units may be others.
    this.#isBeyond = true;
    this.#hasEnded = true;
    this.#notes.add("Another file begins within this one: only the first is shown. Split them, and open each.");
  }

  done(): { head: Head; fields: Recognized[] } {
    if (this.#fields === null || this.#gathering.isEmpty)
      throw new FormatFailure("unreadable", this.#counts.other > 0 ? OTHER_COLUMNS : NO_ROWS);
    if (!this.#hasEnded) this.#notes.add("The file has no last line %=ENDTRO: its end may be missing.");
    const say = (n: number, sentence: string): void => {
      if (n > 0) this.#notes.add(`${sentence}: ${count(n)}.`);
    };
    say(this.#counts.other, "Rows with another number of columns than the file names are left out");
    say(this.#counts.untimed, "Rows without an epoch that can be read are left out");
    say(this.#counts.unread, "Fields that are not numbers are shown as missing");
    say(this.#gathering.left, "Rows of further sites, of which there are too many, are left out");
    return { head: this.head, fields: this.#fields };
  }

  #row([code = "", epoch = "", ...texts]: readonly string[]): void {
    this.#fields ??= this.#begin(texts.map(Number));
    const ms = this.#toUtc(epochMs(epoch));
    if (Number.isNaN(ms)) return void this.#counts.untimed++;
    if (texts.length !== this.#fields.length) return void this.#counts.other++;
    this.#gathering.add(
      code,
      ms,
      texts.map((text) => this.#value(text)),
    );
  }

  #value(text: string): number {
    if (NO_VALUE.test(text)) return Number.NaN;
    if (NUMBER.test(text)) return Number(text);
    this.#counts.unread++;
    return Number.NaN;
  }

  /** What the rows need to be understood, before the first of them, which is given. */
  #begin(first: readonly number[]): Recognized[] {
    const { units } = this.head;
    const untold = factorOfRow(this.head.names(), first) ?? 1_000;
    const fields = this.head.fields(untold);
    if (fields.length === 0) throw new FormatFailure("unreadable", NO_FIELDS);
    if (units !== "told") {
      const why =
        units === "none" ? "The file does not tell its units" : "The units in the file do not fit its columns";
      this.#notes.add(`${why}: delays and gradients are taken as ${untold === 1 ? "metres" : "millimetres"}.`);
    }
    const system = this.head.timeSystem;
    // Galileo's time goes with that of GPS.
    if (system === "G" || system === "E" || system?.startsWith("GPS") || system?.startsWith("GAL")) {
      this.#toUtc = utcOfGps;
      this.#notes.add("Epochs are in GPS time in the file, and shown in UTC (leap seconds taken off).");
    } else if (system !== "UTC")
      this.#notes.add(
        system === null
          ? "The file does not tell its time system: epochs are taken as UTC. Were they GPS time, they would be 18 s too late since 2017."
          : `Epochs in the time system ${quoted(system)} are taken as UTC.`,
      );
    return fields;
  }
}
