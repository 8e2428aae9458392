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

/**
 * Zones, or their differences from UTC, with their abbreviations, of which some are used for several zones. GLONASS time is UTC by
 * RINEX and SINEX, and 3 h ahead by its interface document. Of local time, nothing is known.
 */
const ABBREVIATIONS = `
-2:30 NDT, -3 ADT BRT ART CLST, -3:30 NST, -4 AST EDT CLT, -5 EST CDT COT PET, -6 CST MDT, -7 MST PDT, -8 PST AKDT, -9 AKST,
-10 HST, +13 NZDT, +12 NZST, +11 AEDT, +10:30 ACDT, +10 AEST, +9:30 ACST, +9 WIT JST KST, +8 WITA HKT SGT PHT AWST CST,
+7 ICT WIB, +5:45 NPT, +5:30 IST, +5 PKT, +3 EEST OESZ TRT EAT AST GLO GLONASS GLONASST,
+2 CEST MESZ HAEC EET OEZ SAST CAT IST, +1 CET MEZ HNEC WEST WAT IST BST, +0 WET GLO GLONASS GLONASST,
America/Chicago CT, America/Denver MT, America/Halifax AT, America/Los_Angeles PT, America/New_York ET,
Europe/Berlin CET MEZ, Europe/Helsinki EET OEZ, Europe/Lisbon WEST WET, Europe/London BST,
Europe/Moscow MSK, unknown LT LST LMT LOC`;

const ZONES = Map.groupBy(
  ABBREVIATIONS.split(",").flatMap((each) => {
    const [zone = "", ...all] = each.trim().split(" ");
    return all.map((letters) => ({ zone, letters }));
  }),
  ({ letters }) => letters,
);

export function isAbbreviation(text: string): boolean {
  return ZONES.has(text.toUpperCase());
}

/** The zone of an abbreviation that no other zone has; null for others. */
export function abbreviatedZone(text: string): TimeScale | null {
  const [only, other] = isAbbreviation(text.trim()) ? possibleZones(text) : [];
  return only === undefined || other !== undefined ? null : zoneScale(only);
}

/** The scales or zones that a statement without a known difference from UTC may mean, as a user writes them. */
export function possibleZones(text: string): string[] {
  if (/g(ns|p)s/i.test(text)) return ["GPS", "UTC"];
  const letters = text.match(/[A-Z]+/gi)?.find(isAbbreviation) ?? "";
  return (ZONES.get(letters.toUpperCase()) ?? []).flatMap(({ zone }) =>
    zone === "unknown" ? [] : (zoneNamed(zone) ?? offsetName(minutesAhead(zone) ?? 0)),
  );
}
