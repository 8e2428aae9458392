/** Scales of times, as the user writes them. */
const SCALES = ["UTC", "GPS", "BDT", "TAI", "TT"] as const;

/** Time zones with their rules of summer time, such as `Europe/Helsinki`. */
const ZONES: readonly string[] = Intl.supportedValuesOf("timeZone").filter((zone) => zone.includes("/"));

/** Differences of zones from UTC, in minutes: whole hours, and the others that clocks of a country show. */
const MINUTES_AHEAD = [
  ...Array.from({ length: 27 }, (_, i) => 60 * (i - 12)).filter((minutes) => minutes !== 0),
  -570,
  -210,
  -150,
  210,
  270,
  330,
  345,
  390,
  525,
  570,
  630,
  765,
  825,
].toSorted((a, b) => a - b);

const OFFSET = /^(?:UTC|GMT)?\s*([-+−])\s*(\d{1,2})(?::?([0-5]\d))?(?:\s*h(?:ours?)?)?$/i;

/** The difference from UTC that a text such as `UTC+5:30`, `GMT-03` or `+02:00` names, in minutes; null for other texts. */
export function minutesAhead(text: string): number | null {
  const [all, sign, hours = "", minutes = "0"] = OFFSET.exec(text.trim()) ?? [];
  const size = 60 * Number(hours) + Number(minutes);
  if (all === undefined || size > 15 * 60) return null;
  return sign === "+" ? size : -size;
}

/** `UTC+5:30` */
export function offsetName(minutes: number): string {
  const size = Math.abs(minutes);
  const part = size % 60 === 0 ? "" : `:${String(size % 60).padStart(2, "0")}`;
  return minutes === 0 ? "UTC" : `UTC${minutes < 0 ? "-" : "+"}${Math.floor(size / 60)}${part}`;
}

/** The zone with a name such as `Europe/Helsinki`, in any case, also one of its former names; null for other texts. */
export function zoneNamed(text: string): string | null {
  if (!text.includes("/")) return null;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: text.trim() }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}

/** The time scale or the zone that a user names, in its usual spelling; null for other texts. */
export function timeUnit(text: string): string | null {
  const plain = text.trim();
  const scale = SCALES.find((each) => each === plain.toUpperCase());
  const minutes = minutesAhead(plain);
  return scale ?? (minutes === null ? zoneNamed(plain) : offsetName(minutes));
}

export const TIME_UNITS: readonly string[] = [...SCALES, ...MINUTES_AHEAD.map(offsetName), ...ZONES];
