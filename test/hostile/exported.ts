import { STATIONS, valueOf, type Variable } from "./meant.ts";

/** Values of an export, each compared with the formula. */
export interface Exported {
  readonly rows: number;
  /** Values that the service does not have. */
  readonly invented: number;
  /** Values of another station. */
  readonly misnamed: number;
  /** Whether the right value was exported. */
  has(station: number, name: Variable, timeMs: number): boolean;
}

const COLUMNS: Readonly<Record<string, Variable>> = { ztd_mm: "ztd", ztd_sigma_mm: "ztd_sigma", pwv_mm: "pwv" };

/** @param means whether the service has an observation of this station at this time */
export function readExport(csv: string, means: (station: number, timeMs: number) => boolean): Exported {
  const right = new Set<string>();
  let [rows, invented, misnamed] = [0, 0, 0];
  const [header = "", ...lines] = csv
    .replace(/^\uFEFF/, "")
    .trim()
    .split(/\r?\n/);
  const names = header.split(",");
  const timeAt = names.indexOf("time");
  for (const line of lines) {
    const cells = line.split(",");
    const station = STATIONS.findIndex((s) => s.id === cells[0]);
    const timeMs = Date.parse(cells[timeAt] ?? "");
    const isMeant = station >= 0 && means(station, timeMs);
    rows++;
    for (const [i, cell] of cells.entries()) {
      const name = COLUMNS[names[i]!];
      if (name === undefined || cell === "") continue;
      const value = Number(cell);
      const key = `${station} ${name} ${timeMs}`;
      if (isMeant && value === valueOf(station, name, timeMs) && !right.has(key)) right.add(key);
      else if (STATIONS.some((s) => s.index !== station && valueOf(s.index, name, timeMs) === value)) misnamed++;
      else invented++;
    }
  }
  const has: Exported["has"] = (station, name, timeMs) => right.has(`${station} ${name} ${timeMs}`);
  return { rows, invented, misnamed, has };
}
