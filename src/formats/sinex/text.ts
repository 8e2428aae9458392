import type { TimeSystem } from "#shared/file/export.ts";
import { gpsAheadSeconds } from "#shared/time/gpsTime.ts";
import { DAY_MS, type UtcMs } from "#shared/time/utc.ts";
import { asciiText } from "../asciiText.ts";
import { uncertaintyOf, VALUE_VARIABLES, type Variable, variableInfo } from "#shared/service/variables.ts";
import { FormatFailure } from "../error.ts";
import { sinexProblem } from "../problems.ts";

/** Formats moments as `YYYY:DDD:SSSSS` in a time system: year, day of year, second of day. Caches the current day. */
export class EpochText {
  readonly #isGps: boolean;
  #dayStartMs = Number.NaN;
  #day = "";

  constructor(timeSystem: TimeSystem) {
    this.#isGps = timeSystem === "gps";
  }

  /** The name of the time system in TROP/DESCRIPTION. */
  get code(): string {
    return this.#isGps ? "G" : "UTC";
  }

  get name(): string {
    return this.#isGps ? "GPS time" : "UTC";
  }

  /** @param utcMs a whole second */
  text(utcMs: UtcMs): string {
    const moment = this.#isGps ? utcMs + gpsAheadSeconds(utcMs) * 1_000 : utcMs;
    let rest = moment - this.#dayStartMs;
    if (!(rest >= 0 && rest < DAY_MS)) {
      this.#dayStartMs = Math.floor(moment / DAY_MS) * DAY_MS;
      const year = new Date(this.#dayStartMs).getUTCFullYear();
      const dayOfYear = (this.#dayStartMs - Date.UTC(year, 0, 1)) / DAY_MS + 1;
      this.#day = `${String(year).padStart(4, "0")}:${String(dayOfYear).padStart(3, "0")}:`;
      rest = moment - this.#dayStartMs;
    }
    return this.#day + String(Math.floor(rest / 1000)).padStart(5, "0");
  }
}

/** Cuts or pads a text to `width`. */
export function fitted(text: string, width: number): string {
  return asciiText(text).slice(0, width).padEnd(width);
}

/** Formats a number with fixed decimals, right-aligned; −999 if missing. */
export function numberColumn(value: number | null, width: number, decimals: number): string {
  const text = value === null || !Number.isFinite(value) ? (-999).toFixed(decimals) : value.toFixed(decimals);
  return text.slice(0, width).padStart(width);
}

/** Maximum line length of the format, including the leading blank. */
const LINE_CHARACTERS = 80;

/** Wraps a text to the line length of the format, between words if possible. */
export function wrapped(text: string): string[] {
  const lines: string[] = [];
  let rest = text;
  while (rest.length >= LINE_CHARACTERS) {
    const space = rest.lastIndexOf(" ", LINE_CHARACTERS - 1);
    const end = space > 0 ? space : LINE_CHARACTERS - 1;
    lines.push(rest.slice(0, end));
    rest = rest.slice(end).trimStart();
  }
  return [...lines, rest];
}

/** A column of TROP/SOLUTION. Values are in the base unit of the format times `factor`: metres times 1e+03. */
export interface Parameter {
  /** null: the service has no such variable, and all values are missing. */
  readonly variable: Variable | null;
  readonly name: string;
  readonly factor: string;
}

/** Width and decimals of a value: 0.001 mm is finer than the precision of any estimate. */
export const VALUE_WIDTH = 8;
export const VALUE_DECIMALS = 3;

/**
 * Returns the columns for variables, in the order of the format. Every value is followed by its uncertainty, possibly
 * missing, because common readers only accept rows of such pairs.
 *
 * @throws FormatFailure if the format cannot store a variable
 */
export function parametersOf(variables: readonly Variable[]): Parameter[] {
  const problem = sinexProblem(variables);
  if (problem !== null) throw new FormatFailure("invalid", problem);
  return VALUE_VARIABLES.filter((v) => variables.includes(v)).flatMap((variable) => {
    const { parameter, factor } = variableInfo(variable).sinex;
    return [
      { variable, name: parameter, factor },
      { variable: uncertaintyOf(variable), name: "STDDEV", factor },
    ];
  });
}
