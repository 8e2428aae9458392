import { type Command, InvalidArgumentError, Option } from "commander";
import { HEIGHT_REFERENCES } from "#shared/service/catalogue.ts";
import { SATELLITE_VARIABLES, SCALAR_VARIABLES, type Variable } from "#shared/service/variables.ts";
import { TEMPLATE_FIELDS, templateProblem } from "#shared/file/template.ts";
import { failure, success } from "#shared/service/error.ts";
import { type Parsed, parseDuration, parseInterval, parseMoment, parseVariables } from "./parse.ts";

/** Adapts a parser to commander, which expects an exception. */
export function commanderParser<T>(parse: (text: string) => Parsed<T>): (text: string) => T {
  return (text) => {
    const parsed = parse(text);
    if (parsed.ok) return parsed.value;
    throw new InvalidArgumentError(parsed.error);
  };
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

export function addRaw(command: Command): Command {
  return command.option("--raw", "include observations rejected by the quality filter (a separate series)");
}

export function addHeightReference(command: Command): Command {
  return command.addOption(
    new Option("--height-reference <name>", "heights above the ellipsoid or above the geoid, m")
      .choices(HEIGHT_REFERENCES)
      .default("WGS84_ELLIPSOID"),
  );
}

export const readDuration = commanderParser(parseDuration);
/** Parses a duration or 0. */
export const readWait = commanderParser((text) => (text.trim() === "0" ? success(0) : parseDuration(text)));
export const readMoment = commanderParser((text) => parseMoment(text, Date.now()));

export const STATION_WORDS =
  "stations: all, a display name, an id, network:CODE, country:FI, group:NAME or near:LAT,LON,KM; several are joined";

export const TEMPLATE_HELP = Object.keys(TEMPLATE_FIELDS)
  .map((field) => `{${field}}`)
  .join(", ");

/** Parses a template for file names. */
export const readTemplate = commanderParser((template) => {
  const problem = templateProblem(template);
  return problem === null ? success(template) : failure(problem);
});
