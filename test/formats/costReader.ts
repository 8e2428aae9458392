// Reads COST-716 V2.2a strictly by columns, independently of the writer: nine header lines (texts in columns of 20 and
// five blanks; two coordinates and three heights of twelve characters; three intervals of five; eight hexadecimal digits;
// the number of rows), then for each row ` HH MM SS FFFFFFFF`, eleven values of seven characters and one of eight, and a
// line with the number of its slant delays. A line of a hundred dashes ends a block.

export interface CostBlock {
  readonly code: string;
  readonly name: string;
  readonly place: readonly number[];
  readonly firstMs: number;
  readonly minutes: number;
  /** Epoch, ZTD, its deviation, IWV; null if missing. */
  readonly rows: readonly (readonly [epochMs: number, ...(number | null)[]])[];
}

const MONTHS = "JANFEBMARAPRMAYJUNJULAUGSEPOCTNOVDEC";
const MISSING = ["-9.9", "999.99", "-9.99", "-99.999"];

export function readCostFile(text: string): CostBlock[] {
  if (/[^\n\x20-\x7E]/.test(text)) throw new Error("a character that is not printable ASCII");
  const blocks = text.split(`${"-".repeat(100)}\n`);
  if (blocks.pop() !== "") throw new Error("the end is missing");
  return blocks.map((block) => {
    const lines = block.split("\n").slice(0, -1);
    const [format, site, , place, times, , minutes, flags, count, ...rest] = lines;
    if (format!.slice(0, 14) !== "COST-716 V2.2a") throw new Error(`not a header: ${format}`);
    if (!/^[0-9A-F]{8}$/.test(flags!)) throw new Error(`not flags: ${flags}`);
    const date = times!.slice(0, 11);
    const dayMs = Date.UTC(Number(date.slice(7)), MONTHS.indexOf(date.slice(3, 6)) / 3, Number(date.slice(0, 2)));
    if (rest.length !== 2 * Number(count)) throw new Error(`${rest.length} lines for ${count} rows`);
    return {
      code: site!.slice(0, 4),
      name: site!.slice(25),
      place: [0, 1, 2, 3].map((i) => Number(place!.slice(12 * i, 12 * (i + 1)))),
      firstMs: dayMs + clockMs(times!.slice(12, 20).split(":")),
      minutes: Number(minutes!.slice(0, 5)),
      rows: rest
        .filter((_, i) => i % 2 === 0)
        .map((line, i) => {
          if (line.length !== 18 + 11 * 7 + 8 || rest[2 * i + 1] !== "   0") throw new Error(`not a row: ${line}`);
          const field = (at: number): number | null => {
            const own = line.slice(18 + 7 * at, 25 + 7 * at).trim();
            return MISSING.includes(own) ? null : Number(own);
          };
          return [
            dayMs + clockMs([line.slice(1, 3), line.slice(4, 6), line.slice(7, 9)]),
            field(0),
            field(1),
            field(3),
          ];
        }),
    };
  });
}

/** @param words hours, minutes and seconds */
function clockMs(words: readonly string[]): number {
  return words.reduce((sum, word) => 60 * sum + Number(word), 0) * 1_000;
}
