import type { FilePosition } from "#shared/file/opened.ts";
import { fieldsOf } from "./fields.ts";
import type { Recognized } from "../quantity.ts";
import { placeOfCoordinates, SiteLines } from "./sites.ts";

/** What the blocks around the rows tell, line by line. */
export class Head {
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
    else if (block === "FILE/COMMENT") this.#ownId(line);
    else if (block === "SITE/ID") this.#site(code, line);
    else if (/^(SITE|TROP)\/+(STA_)?COORDINATES$/.test(block)) keep(this.#exact, code, placeOfCoordinates(line));
  }

  /** The comment line with the heads of the rows; it counts only where no list of fields is there. */
  rowHeads(line: string): void {
    const heads = line.slice(1).trim().split(/\s+/);
    if (/^_*(SITE|STATION|CODE|STAT)_*$/i.test(heads[0] ?? "") && /EPOCH/i.test(heads[1] ?? ""))
      this.#rowHeads = heads.slice(2).map((head) => head.replaceAll(/^_+|_+$/g, ""));
  }

  /** Names of the columns of the rows; none where nothing names them. */
  names(): readonly string[] {
    const names = this.#words.get("TROPO PARAMETER NAMES");
    if (names) return names;
    const older = [1, 2, 3, 4, 5].flatMap((n) => this.#words.get(`SOLUTION_FIELDS_${n}`) ?? []);
    return older.length > 0 ? older : this.#rowHeads;
  }

  /** @param untold factor of lengths where the file does not tell their unit */
  fields(untold: number): Recognized[] {
    return fieldsOf(this.names(), this.#factors(), untold);
  }

  /** "misfit": it tells units, but not one for each column. */
  get units(): "told" | "misfit" | "none" {
    if (!this.#words.has("TROPO PARAMETER UNITS")) return "none";
    return this.#factors() === null ? "misfit" : "told";
  }

  /** As the file has it, in capitals; null where it does not tell. */
  get timeSystem(): string | null {
    return this.#words.get("TIME SYSTEM")?.[0]?.toUpperCase() ?? null;
  }

  /** What the file says of itself. */
  told(type: "DESCRIPTION" | "OUTPUT"): string | null {
    return this.#reference.get(type) || null;
  }

  position(code: string): FilePosition | null {
    return this.#approximate.get(code) ?? this.#exact.get(code) ?? null;
  }

  domes(code: string): string | null {
    return this.#domes.get(code) ?? null;
  }

  /** The id that a file of ours has for a code. */
  ownId(code: string): string | null {
    return this.#ids.get(code) ?? null;
  }

  /** One for each name, or they do not say which unit is whose. */
  #factors(): number[] | null {
    const factors = this.#words.get("TROPO PARAMETER UNITS")?.map(Number);
    const isWhole = factors?.length === this.#words.get("TROPO PARAMETER NAMES")?.length;
    return factors && isWhole && factors.every((f) => Number.isFinite(f) && f > 0) ? factors : null;
  }

  #site(code: string, line: string): void {
    keep(this.#approximate, code, this.#siteLines.place(line));
    const domes = this.#siteLines.domes(line);
    if (domes !== null) this.#domes.set(code, domes);
  }

  #describe(line: string): void {
    const key = /^(TROPO PARAMETER (?:NAMES|UNITS)|TIME SYSTEM|SOLUTION[_ ]FIELDS_[1-5])\s+/.exec(line);
    if (key) this.#words.set(key[1]!.replace("SOLUTION ", "SOLUTION_"), line.slice(key[0].length).split(/\s+/));
  }

  #refer(line: string): void {
    this.#reference.set(line.slice(0, 19).trim(), line.slice(19).trim());
  }

  /** Codes in our own files are made for the file, and its comments say which station each stands for. */
  #ownId(line: string): void {
    const [, code, id] = /^ ([A-Z0-9]{9}) = (\S+)(?: |$)/.exec(line) ?? [];
    if (code !== undefined && id !== undefined) this.#ids.set(code, id);
  }
}

function keep(places: Map<string, FilePosition>, code: string, place: FilePosition | null): void {
  if (place && !places.has(code)) places.set(code, place);
}
