import { fromAbsolute } from "@internationalized/date";
import { minutesAhead, offsetName, zoneNamed } from "#shared/file/timeUnits.ts";
import { DAY_MS, MINUTE_MS } from "#shared/time/utc.ts";

/** The scale or zone of times in a file. */
export interface TimeScale {
  /** `UTC`, `UTC+1`, `GPS time`, `Europe/Helsinki` */
  readonly name: string;
  /** How the user names it: `GPS`. */
  readonly unit: string;
  /** Converts a time, in milliseconds; NaN for a time that the clocks of a zone show twice or never. */
  toUtc(ms: number): number;
}

/** Clocks change at whole or half hours of their own time. */
const STEP_MS = 30 * MINUTE_MS;
const MAX_STEPS = 100_000;

/** The zone that a difference from UTC or a name of the time zone database tells; null for other texts. */
export function zoneScale(text: string): TimeScale | null {
  const minutes = minutesAhead(text);
  if (minutes !== null) {
    const name = offsetName(minutes);
    return { name, unit: name, toUtc: (ms) => ms - minutes * MINUTE_MS };
  }
  const zone = zoneNamed(text);
  if (zone === null) return null;
  const known = new Map<number, number>();
  const toUtc = (ms: number): number => {
    const step = Math.floor(ms / STEP_MS);
    let ahead = known.get(step);
    if (ahead === undefined) {
      ahead = aheadMs(zone, step * STEP_MS);
      if (known.size < MAX_STEPS) known.set(step, ahead);
    }
    return ms - ahead;
  };
  return { name: zone, unit: zone, toUtc };
}

/** How far the clocks of a zone that show a time are ahead of UTC; NaN for times that they show twice or never. */
function aheadMs(zone: string, clockMs: number): number {
  if (!(Math.abs(clockMs) < 8e15)) return Number.NaN;
  const offsetAt = (utcMs: number): number => fromAbsolute(utcMs, zone).offset;
  const offsets = new Set([offsetAt(clockMs - DAY_MS), offsetAt(clockMs + DAY_MS)]);
  const [ahead = Number.NaN, other] = [...offsets].filter((offset) => offsetAt(clockMs - offset) === offset);
  return other === undefined ? ahead : Number.NaN;
}

/** Abbreviations of zones with their differences from UTC; several, or none, if the letters are used for several zones. */
const ABBREVIATIONS: Readonly<Record<string, string>> = {
  CET: "+1 Europe/Berlin",
  CEST: "+2 Europe/Berlin",
  MEZ: "+1 Europe/Berlin",
  MESZ: "+2 Europe/Berlin",
  HNEC: "+1",
  HAEC: "+2",
  WEST: "+1 Europe/Lisbon",
  WET: "+0 Europe/Lisbon",
  EET: "+2 Europe/Helsinki",
  EEST: "+3 Europe/Helsinki",
  OEZ: "+2 Europe/Helsinki",
  OESZ: "+3 Europe/Helsinki",
  MSK: "+3",
  TRT: "+3",
  SAST: "+2",
  EAT: "+3",
  CAT: "+2",
  WAT: "+1",
  PKT: "+5",
  IST: "+5:30 +2 +1",
  NPT: "+5:45",
  ICT: "+7",
  WIB: "+7",
  WITA: "+8",
  WIT: "+9",
  HKT: "+8",
  SGT: "+8",
  PHT: "+8",
  JST: "+9",
  KST: "+9",
  AWST: "+8",
  ACST: "+9:30",
  ACDT: "+10:30",
  AEST: "+10",
  AEDT: "+11",
  NZST: "+12",
  NZDT: "+13",
  BST: "+1 Europe/London",
  AST: "-4 +3",
  ADT: "-3",
  NST: "-3:30",
  NDT: "-2:30",
  EST: "-5 +10",
  EDT: "-4",
  CST: "-6 +8",
  CDT: "-5",
  MST: "-7",
  MDT: "-6",
  PST: "-8",
  PDT: "-7",
  AKST: "-9",
  AKDT: "-8",
  HST: "-10",
  BRT: "-3",
  ART: "-3",
  CLT: "-4",
  CLST: "-3",
  COT: "-5",
  PET: "-5",
  // By its interface document 3 h ahead of UTC, in RINEX and SINEX the same as UTC.
  GLO: "+3 +0",
  GLONASS: "+3 +0",
  GLONASST: "+3 +0",
  LT: "",
  LST: "",
  LMT: "",
  LOC: "",
  ET: "America/New_York",
  CT: "America/Chicago",
  MT: "America/Denver",
  PT: "America/Los_Angeles",
  AT: "America/Halifax",
};

export function isAbbreviation(text: string): boolean {
  return Object.hasOwn(ABBREVIATIONS, text.toUpperCase());
}

/** The scales or zones that a statement without a known difference from UTC may mean, as a user writes them. */
export function possibleZones(text: string): string[] {
  const found = text
    .toUpperCase()
    .match(/[A-Z]+/g)
    ?.find(isAbbreviation);
  const words = found === undefined ? [] : (ABBREVIATIONS[found] ?? "").split(" ").filter(Boolean);
  return words.map((word) => zoneNamed(word) ?? offsetName(minutesAhead(word) ?? 0));
}
