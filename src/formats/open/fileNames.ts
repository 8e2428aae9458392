import { basename } from "node:path";
import { monthNamed } from "./time/moment.ts";

const EXTENSIONS = /(\.\w{1,7}){1,2}$/;

/** The name of a file without its folder and extensions: what a series is called that nothing in its file names. */
export function labelByFile(path: string): string {
  return basename(path).replace(EXTENSIONS, "");
}

/** A name without its numbers and months: only these differ in the names of files and sheets of one series over time. */
export function timelessName(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/\p{L}+/gu, (word) => (monthNamed(word) > 0 ? "0" : word))
    .replaceAll(/\d+/g, "0");
}

/** What paths begin with, without the numbers and signs at its end: `KALL` of `KALL/2026-01.csv` and `KALL/2026-02.csv`. */
export function commonBeginning(paths: readonly string[]): string {
  const [first = "", ...others] = paths;
  let length = first.length;
  for (const other of others) while (!other.startsWith(first.slice(0, length))) length--;
  return first.slice(0, length).replace(others.length === 0 ? EXTENSIONS : /[^\p{L}]+$/u, "");
}
