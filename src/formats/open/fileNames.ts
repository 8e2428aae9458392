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
 * A name without its times: only these differ in the names of files and sheets of one series over time.
 * @param rangeMs of their times, which numbers in the name have to tell; absent: any number is one of a time
 */
export function timelessName(name: string, rangeMs: readonly number[] | null = null): string {
  const plain = name
    .toLowerCase()
    .replaceAll(OF_PART, "0")
    .replaceAll(/\p{L}+/gu, (word) => (monthNamed(word) > 0 ? MONTH : word));
  if (rangeMs === null) return plain.replaceAll(/[\d§]+/g, "0");
  const [times, parts] = [rangeMs.flatMap(timesOf), rangeMs.flatMap(partsOf)].map(
    (numbers) => new RegExp(`^(?:${numbers.join("|")})$`),
  ) as [RegExp, RegExp];
  const timeless = plain.replaceAll(RUN, (run) => withoutTimes(run.split(/(?<=[\d§])(?=[^\d§])/), times));
  const isTimed = timeless !== plain || plain.includes(MONTH);
  // Parts of a time, such as a day or an hour, are beside one: alone, they may number stations, as do numbers after a letter.
  const withoutParts = timeless.replaceAll(/(?<![\p{L}\d])\d{1,3}(?!\d)/gu, (part) => (parts.test(part) ? "0" : part));
  return (isTimed ? withoutParts : plain).replaceAll(MONTH, "0");
}

/** The number of a part of a file that was split: `part-00001`. */
const OF_PART = /(?<=(?:part|teil|chunk|split)[-_ ]?)\d+/g;
/** Stands for the name of a month. */
const MONTH = "§";
/** Numbers that are separated by signs, or directly after letters. */
const RUN = /(?<!\p{L})[\d§]+(?:[-_. :/\\t][\d§]+)*|\d+/gu;

/** @param run its numbers, each with the sign before it */
function withoutTimes(run: readonly string[], times: RegExp): string {
  const numbers = run.map((number) => number.replace(/^[^\d§]/, ""));
  const padded = run.length > 1 ? numbers.map((number) => number.replace(/^\d$/, "0$&")) : numbers;
  const end = run.findLastIndex((_, i) => times.test(padded.slice(0, i + 1).join(""))) + 1;
  const sign = run[0]?.slice(0, -(numbers[0]?.length ?? 0)) ?? "";
  if (run.length === 0) return "";
  return end > 0 ? `${sign}0${withoutTimes(run.slice(end), times)}` : `${run[0]}${withoutTimes(run.slice(1), times)}`;
}

function digitsOf(ms: number) {
  const date = new Date(ms);
  const [year = "", month = "", day = "", hour = ""] = date.toISOString().split(/[-T:]/);
  const ofYear = String(1 + Math.floor((ms - Date.UTC(Number(year), 0, 1)) / DAY_MS)).padStart(3, "0");
  return { year, short: year.slice(2), month, day, hour, ofYear, week: Math.floor((ms - GPS_START_MS) / DAY_MS / 7) };
}

/** What digits tell a time: years with months, days and times of day, also with the year last, days of a year, and GPS weeks. */
function timesOf(ms: number): string[] {
  const { year, short, day, ofYear, week, ...of } = digitsOf(ms);
  const month = `(${of.month}|${MONTH})`;
  const ofDay = "(\\d\\d){0,3}";
  return [
    `${year}(${month}(${day}${ofDay})?|${ofYear}0?${ofDay})?`,
    `${short}(${month}(${day}${ofDay})?|${ofYear}0?${ofDay})`,
    `(${day}${month}|${month}${day})(${year}|${short})?${ofDay}`,
    `${ofYear}0(${short})?`,
    `${week}[0-7]?`,
  ];
}

function partsOf(ms: number): string[] {
  const { short, month, day, hour, ofYear } = digitsOf(ms);
  return [short, month, String(Number(month)), day, String(Number(day)), hour, ofYear, "0+"];
}

/** What paths begin with, without the numbers and signs at its end: `KALL` of `KALL/2026-01.csv` and `KALL/2026-02.csv`. */
export function commonBeginning(paths: readonly string[]): string {
  const [first = "", ...others] = paths;
  let length = first.length;
  for (const other of others) while (!other.startsWith(first.slice(0, length))) length--;
  return first.slice(0, length).replace(others.length === 0 ? EXTENSIONS : /[^\p{L}]+$/u, "");
}
