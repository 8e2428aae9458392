import { existsSync } from "node:fs";
import { basename, relative, resolve } from "node:path";
import { type Command, InvalidArgumentError, Option } from "commander";
import { TEMPLATE_FIELDS, templateProblem } from "#shared/file/template.ts";
import { HEIGHT_REFERENCES } from "#shared/service/catalogue.ts";
import { failure, success } from "#shared/service/error.ts";
import { SATELLITE_VARIABLES, SCALAR_VARIABLES, type Variable } from "#shared/service/variables.ts";
import { DAY_SECONDS, isTimeZone } from "#shared/time/intervals.ts";
import { usage } from "../exit.ts";
import { isNpmScript } from "../../program.ts";
import { type Parsed, parseDuration, parseInterval, parseMoment, parseVariables } from "./parse.ts";

/** Resolves a typed path. npm runs scripts in the project's folder, so it is relative to the user's folder. */
export function userPath(path: string, env: NodeJS.ProcessEnv = process.env): string {
  return resolve(isNpmScript(env) ? (env["INIT_CWD"] ?? ".") : ".", path);
}

/** Resolves a typed file, or a file in a zip archive or folder after a colon: `days.zip:2026/day001.tro`. */
export function userFile(word: string): { readonly path: string; readonly member?: string } {
  const path = userPath(word);
  // File names may contain colons.
  for (let at = word.indexOf(":", 2); at > 0 && !existsSync(path); at = word.indexOf(":", at + 1)) {
    const archive = userPath(word.slice(0, at));
    if (existsSync(archive)) return { path: archive, member: word.slice(at + 1) };
  }
  return { path };
}

/** The command that started this program, for suggested commands that can be copied. */
export function invocation(env: NodeJS.ProcessEnv = process.env, script = process.argv[1] ?? "zenith"): string {
  if (isNpmScript(env)) return "npm run zenith --";
  // A name without a folder is an installed program on the PATH.
  return script === basename(script) ? script : `node ${quoted(relative(process.cwd(), script))}`;
}

/** Quotes a word for a POSIX shell, if necessary. */
export function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** Adapts a parser to commander, which expects an exception. */
export function commanderParser<T>(parse: (text: string) => Parsed<T>): (text: string) => T {
  return (text) => {
    const parsed = parse(text);
    if (parsed.ok) return parsed.value;
    throw new InvalidArgumentError(parsed.error);
  };
}

/** Adapts a parser of one value to an option that can be repeated. */
export function repeatable<T>(parse: (text: string) => Parsed<T>): (text: string, before?: readonly T[]) => T[] {
  const read = commanderParser(parse);
  return (text, before = []) => [...before, read(text)];
}

/** Selection options of `plan`, `fetch`, `resample` and `export`. Times are parsed later, because some depend on now. */
export interface SelectionOptions {
  readonly vars: Variable[];
  readonly from?: string;
  readonly to?: string;
  readonly last?: string;
  readonly month?: string;
  readonly day?: string;
  readonly interval?: number;
  readonly zone?: string;
  readonly raw?: boolean;
}

export function addVariables(command: Command, wanted: readonly Variable[] = SCALAR_VARIABLES): Command {
  return command.addOption(
    new Option(
      "--vars <list>",
      `variables, separated by commas: ${SCALAR_VARIABLES.join(", ")} (mm); ${SATELLITE_VARIABLES.join(", ")} (per satellite)`,
    )
      .argParser(commanderParser(parseVariables))
      .default([...wanted], wanted.join(",")),
  );
}

export function addRange(command: Command): Command {
  return command
    .option(
      "--from <time>",
      "start, UTC, included: 2026-10-01, 2026-10-01T06:30:00Z, 2026-274, “GPS 2438”, yesterday or now-7d",
    )
    .option("--to <time>", "end, UTC, not included (default: now)")
    .option("--last <duration>", "the time up to now: 6h, 7d, 2w")
    .option("--month <month>", "a calendar month, UTC: 2026-10")
    .option("--day <day>", "a calendar day, UTC: 2026-10-05");
}

export function addInterval(command: Command, meaning: string, required = false): Command {
  const option = new Option("--interval <duration>", meaning).argParser(commanderParser(parseInterval));
  return command.addOption(required ? option.makeOptionMandatory() : option);
}

const readZone = commanderParser((text) =>
  isTimeZone(text) ? success(text) : failure(`“${text}” is not a time zone. Write for example Europe/Helsinki.`),
);

export function addZone(command: Command): Command {
  return command.option(
    "--zone <zone>",
    "with --interval 1d: the days of a time zone, such as Europe/Helsinki, averaged here",
    readZone,
  );
}

export function addRaw(command: Command): Command {
  return command.option("--raw", "include observations rejected by the quality filter (a separate series)");
}

const FETCHED_MEANS = "means fetched with “fetch --interval” (default: every observation)";

/** Adds the options of `SelectionOptions`. @param interval meaning of the interval */
export function addSelection(command: Command, wanted?: readonly Variable[], interval = FETCHED_MEANS): Command {
  return addRaw(addInterval(addRange(addVariables(command, wanted)), interval));
}

export function addHeightReference(command: Command): Command {
  return command.addOption(
    new Option("--height-reference <name>", "heights above the ellipsoid or above the geoid, m")
      .choices(HEIGHT_REFERENCES)
      .default("WGS84_ELLIPSOID"),
  );
}

/** @throws Stop */
export function requireStations(words: readonly string[]): void {
  if (words.length > 0) return;
  throw usage("Name the stations: a name, an id, network:CODE, country:FI, group:NAME, near:LAT,LON,KM, @FILE or all.");
}

/** @throws Stop */
export function requireInterval(
  options: Pick<SelectionOptions, "interval" | "zone"> & { readonly resample?: boolean },
): void {
  if (options.zone !== undefined && options.interval !== DAY_SECONDS)
    throw usage("--zone needs --interval 1d, because it determines where days begin.");
  if (!options.resample || options.interval !== undefined) return;
  throw usage("--resample needs --interval, the length of the intervals.");
}

export const readDuration = commanderParser(parseDuration);
/** @param byDefault with its unit, as the help shows it */
export function durationOption(flags: string, meaning: string, byDefault: string): Option {
  return new Option(flags, meaning).argParser(readDuration).default(readDuration(byDefault), byDefault);
}
/** Parses a duration or 0. */
export const readWait = commanderParser((text) => (text.trim() === "0" ? success(0) : parseDuration(text)));
export const readMoment = commanderParser((text) => parseMoment(text, Date.now()));

export const STATION_WORDS =
  "stations: all, a name, an id, a pattern such as 'Mast*', network:CODE, country:FI, group:NAME, near:LAT,LON,KM, @FILE with one a line, or - for stdin; several are joined";

export const TEMPLATE_HELP = Object.keys(TEMPLATE_FIELDS)
  .map((field) => `{${field}}`)
  .join(", ");

/** Parses a template for file names. */
export const readTemplate = commanderParser((template) => {
  const problem = templateProblem(template);
  return problem === null ? success(template) : failure(problem);
});
