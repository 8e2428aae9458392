// Reads SINEX_TRO 2.00 strictly by the columns of its specification, independently of the writer:
// a header line `%=TRO 2.00 AAA YYYY:DDD:SSSSS BBB start end P content`; blocks from `+NAME` to `-NAME`; comment lines
// that begin with `*`; data lines that begin with a blank; `%=ENDTRO` at the end; printable ASCII only. A value of
// TROP/SOLUTION is the physical one in its base unit (m, kg m-2) times the entry of TROPO PARAMETER UNITS; −999 is missing.

export interface SinexRow {
  readonly code: string;
  readonly timeMs: number;
  /** In base units: metres, kg m-2. null if missing. */
  readonly values: Readonly<Record<string, number | null>>;
}

export interface SinexTro {
  readonly header: { readonly firstMs: number; readonly lastMs: number; readonly content: string };
  readonly blocks: ReadonlyMap<string, readonly string[]>;
  readonly description: ReadonlyMap<string, string>;
  readonly sites: readonly {
    readonly id: string;
    readonly code: string;
    readonly description: string;
    readonly longitudeDeg: number | null;
    readonly latitudeDeg: number | null;
    readonly ellipsoidalM: number | null;
    readonly meanSeaLevelM: number | null;
  }[];
  readonly coordinates: ReadonlyMap<string, readonly [number, number, number]>;
  readonly rows: readonly SinexRow[];
}

const HEADER =
  /^%=TRO 2\.00 [A-Z]{3} (\d{4}:\d{3}:\d{5}) [A-Z]{3} (\d{4}:\d{3}:\d{5}) (\d{4}:\d{3}:\d{5}) P (\S{3,9})$/;

export function readSinexTro(text: string): SinexTro {
  if (/[^\n\x20-\x7E]/.test(text)) throw new Error("a character that is not printable ASCII");
  if (!text.endsWith("%=ENDTRO\n")) throw new Error("the end is missing");
  const [first, ...lines] = text.split("\n").slice(0, -2);
  const header = HEADER.exec(first!);
  if (!header) throw new Error(`not a header line: ${first}`);
  const blocks = readBlocks(lines);
  const description = new Map(
    blocks.get("TROP/DESCRIPTION")!.map((line) => [line.slice(1, 30).trim(), line.slice(30).trim()]),
  );
  if (!["UTC", "G"].includes(description.get("TIME SYSTEM")!)) throw new Error("an unknown time system");
  const words = (key: string): string[] => description.get(`TROPO PARAMETER ${key}`)!.split(/ +/);
  const columns = words("NAMES").map((name, i) => ({
    name,
    factor: Number(words("UNITS")[i]),
    width: Number(words("WIDTH")[i]),
  }));
  return {
    header: { firstMs: epoch(header[2]!), lastMs: epoch(header[3]!), content: header[4]! },
    blocks,
    description,
    sites: blocks.get("SITE/ID")!.map((line) => ({
      id: line.slice(91),
      code: field(line, 2, 10),
      description: field(line, 27, 48).trimEnd(),
      longitudeDeg: orNull(field(line, 50, 59)),
      latitudeDeg: orNull(field(line, 61, 70)),
      ellipsoidalM: orNull(field(line, 72, 80)),
      meanSeaLevelM: orNull(field(line, 82, 90)),
    })),
    coordinates: new Map(
      blocks
        .get("SITE/COORDINATES")!
        .map((line) => [
          field(line, 2, 10),
          [Number(field(line, 52, 63)), Number(field(line, 65, 76)), Number(field(line, 78, 89))],
        ]),
    ),
    rows: blocks.get("TROP/SOLUTION")!.map((line) => {
      const values: Record<string, number | null> = {};
      let at = 26;
      for (const { name, factor, width } of columns) {
        if (line[at - 1] !== " ") throw new Error(`columns run into each other: ${line}`);
        const value = orNull(field(line, at + 1, at + width));
        values[name] = value === null ? null : value / factor;
        at += width + 1;
      }
      if (line.length !== at - 1) throw new Error(`a line of another length: ${line}`);
      return { code: field(line, 2, 10), timeMs: epoch(field(line, 12, 25)), values };
    }),
  };
}

function readBlocks(lines: readonly string[]): Map<string, string[]> {
  const blocks = new Map<string, string[]>();
  let open: string | null = null;
  for (const line of lines) {
    if (line.startsWith("*")) continue;
    if (line.startsWith("+")) {
      if (open !== null || blocks.has(line.slice(1))) throw new Error(`a block inside another, or twice: ${line}`);
      open = line.slice(1);
      blocks.set(open, []);
    } else if (line.startsWith("-")) {
      if (line.slice(1) !== open) throw new Error(`a block that was not open: ${line}`);
      open = null;
    } else if (open !== null && line.startsWith(" ")) {
      blocks.get(open)!.push(line);
    } else {
      throw new Error(`a line that belongs nowhere: ${line}`);
    }
  }
  if (open !== null) throw new Error(`a block without end: ${open}`);
  return blocks;
}

/** The text from column `first` to column `last`, inclusive, counted from 1. */
function field(line: string, first: number, last: number): string {
  return line.slice(first - 1, last);
}

function orNull(text: string): number | null {
  const value = Number(text);
  if (text.trim() === "" || Number.isNaN(value)) throw new Error(`not a number: “${text}”`);
  return value === -999 ? null : value;
}

function epoch(text: string): number {
  const [year, day, second] = text.split(":").map(Number) as [number, number, number];
  if (day < 1 || day > 366 || second >= 86_400) throw new Error(`not an epoch: ${text}`);
  return Date.UTC(year, 0, day) + second * 1000;
}
