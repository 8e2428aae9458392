import { basename } from "node:path";
import { GPS_START_MS } from "#shared/time/gpsTime.ts";
import { DAY_MS } from "#shared/time/utc.ts";
import { monthNamed } from "./time/moment.ts";

const EXTENSIONS = /(\.\w{1,7}){1,2}$/;

/** The name of a file without its folder and extensions: what a series is called that nothing in its file names. */
export function labelByFile(path: string): string {
  return basename(path).replace(EXTENSIONS, "");
}

/**
 * A name without its numbers and months: only these differ in the names of files and sheets of one series over time.
 *
 * @param rangeMs of their times, which have to agree with the numbers; absent: any number is one of a time
 */
export function timelessName(name: string, rangeMs: readonly number[] | null = null): string {
  const times = rangeMs && new RegExp(`^(?:${rangeMs.flatMap(numbersOf).join("|")})+$`);
  return name
    .toLowerCase()
    .replaceAll(/\p{L}+/gu, (word) => (monthNamed(word) > 0 ? "0" : word))
    .replaceAll(/\d+/g, (digits) => (times === null || times.test(digits) ? "0" : digits));
}

/** The numbers that names of files have for a time: year, month, day, hour, day of the year, GPS week. */
function numbersOf(ms: number): string[] {
  const date = new Date(ms);
  const [year = "", month = "", day = "", hour = ""] = date.toISOString().split(/[-T:]/);
  const ofYear = 1 + Math.floor((ms - Date.UTC(Number(year), 0, 1)) / DAY_MS);
  const ofGps = Math.floor((ms - GPS_START_MS) / DAY_MS);
  const week = Math.floor(ofGps / 7);
  return [
    year,
    year.slice(2),
    month,
    day,
    String(date.getUTCDate()),
    hour,
    "0+",
    String(ofYear).padStart(3, "0"),
    `${week}[0-7]?`,
  ];
}

/** What paths begin with, without the numbers and signs at its end: `KALL` of `KALL/2026-01.csv` and `KALL/2026-02.csv`. */
export function commonBeginning(paths: readonly string[]): string {
  const [first = "", ...others] = paths;
  let length = first.length;
  for (const other of others) while (!other.startsWith(first.slice(0, length))) length--;
  return first.slice(0, length).replace(others.length === 0 ? EXTENSIONS : /[^\p{L}]+$/u, "");
}
