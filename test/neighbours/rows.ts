import { readExport } from "../hostile/exported.ts";
import { DAY_MS, isObserved, START_MS, STEP_MS, VARIABLES, valueOf } from "../hostile/meant.ts";

/** Exported rows compared with the formula of the service. */
export interface Compared {
  readonly rows: number;
  /** Missing observations of the requested stations and days. */
  readonly lost: number;
  readonly invented: number;
  readonly misnamed: number;
}

/** @param csv an export of the first stations and days of the service */
export function compareCsv(csv: string, stations: number, days: number): Compared {
  const { rows, invented, misnamed, has } = readExport(csv, isObserved);
  let lost = 0;
  for (let station = 0; station < stations; station++)
    for (let timeMs = START_MS; timeMs < START_MS + days * DAY_MS; timeMs += STEP_MS)
      for (const name of isObserved(station, timeMs) ? VARIABLES : [])
        if (valueOf(station, name, timeMs) !== null && !has(station, name, timeMs)) lost++;
  return { rows, lost, invented, misnamed };
}
