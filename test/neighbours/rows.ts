import { DAY_MS, isObserved, START_MS, STATIONS, STEP_MS, valueOf, type Variable } from "../hostile/meant.ts";

/** Exported rows compared with the formula of the service. */
export interface Compared {
  readonly rows: number;
  /** Missing observations of the requested stations and days. */
  readonly lost: number;
  /** Values that the service does not have. */
  readonly invented: number;
  /** Values of another station. */
  readonly misnamed: number;
}

const COLUMNS: Readonly<Record<string, Variable>> = { ztd_mm: "ztd", ztd_sigma_mm: "ztd_sigma", pwv_mm: "pwv" };

/** @param csv an export of the first stations and days of the service */
export function compareCsv(csv: string, stations: number, days: number): Compared {
  const found = new Set<string>();
  const [header = "", ...lines] = csv.trim().split(/\r?\n/);
  const columns = header.split(",").map((name) => COLUMNS[name]);
  const timeAt = header.split(",").indexOf("time");
  const [sum, wrong] = [{ rows: 0 }, { invented: 0, misnamed: 0 }];
  for (const line of lines) {
    const cells = line.split(",");
    const station = STATIONS.findIndex((s) => s.id === cells[0]);
    const timeMs = Date.parse(cells[timeAt] ?? "");
    sum.rows++;
    for (const [i, name] of columns.entries()) {
      if (name === undefined || cells[i] === undefined || cells[i] === "") continue;
      const value = Number(cells[i]);
      const key = `${station} ${name} ${timeMs}`;
      const isRight = station >= 0 && isObserved(station, timeMs) && valueOf(station, name, timeMs) === value;
      if (isRight && !found.has(key)) found.add(key);
      else if (STATIONS.some((s) => s.index !== station && valueOf(s.index, name, timeMs) === value)) wrong.misnamed++;
      else wrong.invented++;
    }
  }
  let lost = 0;
  const names = Object.values(COLUMNS);
  for (let station = 0; station < stations; station++) {
    for (let timeMs = START_MS; timeMs < START_MS + days * DAY_MS; timeMs += STEP_MS) {
      if (!isObserved(station, timeMs)) continue;
      for (const name of names)
        if (valueOf(station, name, timeMs) !== null && !found.has(`${station} ${name} ${timeMs}`)) lost++;
    }
  }
  return { rows: sum.rows, lost, ...wrong };
}
