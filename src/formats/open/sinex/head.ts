import type { FilePosition } from "#shared/file/opened.ts";
import { fieldsOf } from "./fields.ts";
import type { Recognized } from "../quantity.ts";
import { parseCoordinates, SiteLines } from "./sites.ts";

/** Metadata of the blocks around the rows, collected line by line. */
export class SinexMetadata {
  /** Values of TROP/DESCRIPTION by keyword. */
  readonly #words = new Map<string, string[]>();
  readonly #reference = new Map<string, string>();
  readonly #approximate = new Map<string, FilePosition>();
  readonly #exact = new Map<string, FilePosition>();
  readonly #ids = new Map<string, string>();
  readonly #domes = new Map<string, string>();
  readonly #siteLines = new SiteLines();
  #rowHeads: string[] = [];

  /** A line of a block that is not TROP/SOLUTION. */
  line(block: string, line: string): void {
    if (line.startsWith("*")) {
      if (block === "SITE/ID") this.#siteLines.comment(line);
      return;
    }
    const code = line.trimStart().split(/\s/, 1)[0] ?? "";
    if (block === "TROP/DESCRIPTION") this.#describe(line.trim());
    else if (block === "FILE/REFERENCE") this.#refer(line);
    else if (block === "FILE/COMMENT") this.#readStationId(line);
    else if (block === "SITE/ID") this.#site(code, line);
    else if (/^(SITE|TROP)\/+(STA_)?COORDINATES$/.test(block)) addPosition(this.#exact, code, parseCoordinates(line));
  }

  /** Reads the comment line with column headers, used if there is no list of fields. */
  rowHeads(line: string): void {
    const heads = line.slice(1).trim().split(/\s+/);
    if (/^_*(SITE|STATION|CODE|STAT)_*$/i.test(heads[0] ?? "") && /EPOCH/i.test(heads[1] ?? ""))
      this.#rowHeads = heads.slice(2).map((head) => head.replaceAll(/^_+|_+$/g, ""));
  }

  /** Returns the column names; empty if unknown. */
  names(): readonly string[] {
    const names = this.#words.get("TROPO PARAMETER NAMES");
    if (names) return names;
    const older = [1, 2, 3, 4, 5].flatMap((n) => this.#words.get(`SOLUTION_FIELDS_${n}`) ?? []);
    return older.length > 0 ? older : this.#rowHeads;
  }

  /** @param defaultFactor factor of lengths if the file does not state their unit */
  fields(defaultFactor: number): Recognized[] {
    return fieldsOf(this.names(), this.#factors(), defaultFactor);
  }

  /** "invalid": units are stated, but not one for each column. */
  get units(): "stated" | "invalid" | "none" {
    if (!this.#words.has("TROPO PARAMETER UNITS")) return "none";
    return this.#factors() === null ? "invalid" : "stated";
  }

  /** In capitals; null if not stated. */
  get timeSystem(): string | null {
    return this.#words.get("TIME SYSTEM")?.[0]?.toUpperCase() ?? null;
  }

  /** Returns an entry of FILE/REFERENCE. */
  reference(type: "DESCRIPTION" | "OUTPUT"): string | null {
    return this.#reference.get(type) || null;
  }

  position(code: string): FilePosition | null {
    return this.#approximate.get(code) ?? this.#exact.get(code) ?? null;
  }

  domes(code: string): string | null {
    return this.#domes.get(code) ?? null;
  }

  /** Returns the station id of a code in an exported file. */
  stationId(code: string): string | null {
    return this.#ids.get(code) ?? null;
  }

  /** Returns a factor for each name; null if their numbers differ. */
  #factors(): number[] | null {
    const factors = this.#words.get("TROPO PARAMETER UNITS")?.map(Number);
    const isWhole = factors?.length === this.#words.get("TROPO PARAMETER NAMES")?.length;
    return factors && isWhole && factors.every((f) => Number.isFinite(f) && f > 0) ? factors : null;
  }

  #site(code: string, line: string): void {
    addPosition(this.#approximate, code, this.#siteLines.position(line));
    const domes = this.#siteLines.domes(line);
    if (domes !== null) this.#domes.set(code, domes);
  }

  #describe(line: string): void {
    const [whole = "", key] =
      /^(TROPO PARAMETER (?:NAMES|UNITS)|TIME SYSTEM|SOLUTION[_ ]FIELDS_[1-5])\s+/.exec(line) ?? [];
    if (key !== undefined)
      this.#words.set(key.replace("SOLUTION ", "SOLUTION_"), line.slice(whole.length).split(/\s+/));
  }

  #refer(line: string): void {
    this.#reference.set(line.slice(0, 19).trim(), line.slice(19).trim());
  }

  /** Reads the comment of an exported file that maps a code to a station id. */
  #readStationId(line: string): void {
    const [, code, id] = /^ ([A-Z0-9]{9}) = (\S+)(?: |$)/.exec(line) ?? [];
    if (code !== undefined && id !== undefined) this.#ids.set(code, id);
  }
}

function addPosition(positions: Map<string, FilePosition>, code: string, position: FilePosition | null): void {
  if (position && !positions.has(code)) positions.set(code, position);
}
