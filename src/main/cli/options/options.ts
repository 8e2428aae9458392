import { FILE_LAYOUTS, STATION_DETAILS, TIME_SYSTEMS } from "#shared/file/export.ts";
import { TEMPLATE_FIELDS, templateProblem } from "#shared/file/template.ts";
import { HEIGHT_REFERENCES } from "#shared/service/catalogue.ts";
import { failure, success } from "#shared/service/error.ts";
import { SATELLITE_VARIABLES, SCALAR_VARIABLES, type Variable } from "#shared/service/variables.ts";
import { DAY_SECONDS, isTimeZone } from "#shared/time/intervals.ts";
import { choice, type Parsed, read, type Values } from "../command.ts";
import { EXIT, usage } from "../exit.ts";
import { numberIn, parseDuration, parseInterval, parseMoment, parseVariables } from "./parse.ts";

// Words that several commands have. Those of a selection are read where it is resolved, because some times depend on now.

export const STATION_WORDS =
  "stations: all, a name, an id, a pattern such as 'Mast*', network:CODE, country:FI, group:NAME, near:LAT,LON,KM, @FILE with one per line, or - for stdin; you can combine several";
export const STATIONS = { "<stations...>": STATION_WORDS };

export function variables(wanted: readonly Variable[] = SCALAR_VARIABLES) {
  const meaning = `variables, separated by commas: ${SCALAR_VARIABLES.join(", ")} (mm); ${SATELLITE_VARIABLES.join(", ")} (per satellite)`;
  return { "--vars <list>": read(meaning, parseVariables, wanted.join(",")) };
}

export const RANGE = {
  "--from <time>": "start, UTC, included: 2026-10-01, 2026-10-01T06:30:00Z, 2026-274, “GPS 2438”, yesterday or now-7d",
  "--to <time>": "end, UTC, not included (default: now)",
  "--last <duration>": "the time up to now: 6h, 7d, 2w",
  "--month <month>": "a calendar month, UTC: 2026-10",
  "--day <day>": "a calendar day, UTC: 2026-10-05",
};

export function interval(meaning: string) {
  return { "--interval <duration>": read(meaning, parseInterval) };
}

export const ZONE = {
  "--zone <zone>": read("with --interval 1d: the days of a time zone, such as Europe/Helsinki, averaged here", (text) =>
    isTimeZone(text) ? success(text) : failure(`“${text}” is not a time zone. Write for example Europe/Helsinki.`),
  ),
};

export const RAW = { "--raw": "include observations rejected by the quality filter (a separate series)" };

const FETCHED_MEANS = "means fetched with “fetch --interval” (default: every observation)";

/** @param meaning of the interval */
export function selection(wanted?: readonly Variable[], meaning = FETCHED_MEANS) {
  return { ...variables(wanted), ...RANGE, ...interval(meaning), ...RAW };
}

/** The values of a selection. */
export type SelectionValues = Values<typeof STATIONS & Omit<ReturnType<typeof selection>, "--interval <duration>">> & {
  readonly interval?: number | undefined;
  readonly zone?: string | undefined;
};

export const HEIGHT_REFERENCE = {
  "--height-reference <name>": choice(
    "heights above the ellipsoid or above the geoid, m",
    HEIGHT_REFERENCES,
    "WGS84_ELLIPSOID",
  ),
};

export const RESAMPLE = { "--resample": "with --interval: averages cached observations here, as “resample” does" };
export const FETCH = { "--fetch": "fetches missing data first; if that fails, writes nothing" };
export const ALLOW_INCOMPLETE = {
  "--allow-incomplete": `exit code 0, not ${EXIT.incomplete}, if data are not downloaded, or may still arrive or change`,
};

/** How files are written; `export` explains the words, other commands refer to it. */
export function fileForms(details: string, layout: string, timeSystem: string) {
  return {
    "--station-details <kind>": choice(details, STATION_DETAILS),
    "--layout <kind>": choice(layout, FILE_LAYOUTS),
    "--time-system <system>": choice(timeSystem, TIME_SYSTEMS),
    "--empty-rows": "tables: keeps rows without any value",
    "--template <template>": read(
      `names the files: ${Object.keys(TEMPLATE_FIELDS)
        .map((field) => `{${field}}`)
        .join(", ")}`,
      (template) => {
        const problem = templateProblem(template);
        return problem === null ? success(template) : failure(problem);
      },
    ),
  };
}

/** @throws Stop */
export function requireInterval(options: {
  readonly interval: number | undefined;
  readonly zone: string | undefined;
  readonly resample?: boolean | undefined;
}): void {
  if (options.zone !== undefined && options.interval !== DAY_SECONDS)
    throw usage("--zone needs --interval 1d, because it determines where days begin.");
  if (!options.resample || options.interval !== undefined) return;
  throw usage("--resample needs --interval, the length of the intervals.");
}

/** @throws Stop */
export function requireStations(words: readonly string[]): void {
  if (words.length > 0) return;
  throw usage("Name the stations: a name, an id, network:CODE, country:FI, group:NAME, near:LAT,LON,KM, @FILE or all.");
}

/** Parses a duration or 0. */
export function parseWait(text: string): Parsed<number> {
  return text.trim() === "0" ? success(0) : parseDuration(text);
}

/** Parses a time of the present day. */
export function parseTime(text: string): Parsed<number> {
  return parseMoment(text, Date.now());
}

/** @param byDefault as the help names it */
export function portWord(byDefault: number) {
  const meaning = `0 selects a free one (default: ${byDefault})`;
  return { "--port <number>": read(meaning, numberIn(0, 65_535, { isWhole: true })) };
}

/** Converts an error of `listen` to a sentence; returns other errors unchanged. */
export function listenStop(reason: unknown): unknown {
  if (!(reason instanceof Error && "code" in reason)) return reason;
  if (reason.code === "EADDRINUSE") return usage("This port is in use. Choose another one with --port, or --port 0.");
  if (reason.code === "EADDRNOTAVAIL") return usage("This computer does not have this address. Leave out --host.");
  if (reason.code === "EACCES") return usage("This port is reserved for the system. Choose 1024 or higher.");
  return reason;
}
