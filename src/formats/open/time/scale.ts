import { gpsToUtc } from "#shared/time/gpsTime.ts";
import { HOUR_MS, MINUTE_MS } from "#shared/time/utc.ts";

/** The scale or zone of times in a file. */
export interface TimeScale {
  /** `UTC`, `UTC+1`, `GPS time` */
  readonly name: string;
  /** Converts a time, in milliseconds. */
  toUtc(ms: number): number;
}

export const UTC: TimeScale = { name: "UTC", toUtc: (ms) => ms };

const UTC_WORDS = /^(utc?|gmt|z|zulu|ut1|utc\s*[+-]?0{1,2}(:?00)?|universal( time)?|coordinated universal time)$/i;
const OFFSET = /^(?:UTC|GMT)?\s*([-+−])(\d{1,2})(?::?(\d\d))?$/i;
/** Zones whose difference from UTC these words do not tell, or not all year round. */
const OTHER_ZONE =
  /^(local|local( \w+)? time|lt|lst|lmt|solar time|wall time|(c|e|w|m|p|a|n|j|k|i|b)[a-z]?(s|d|e)?t|cest|eest|mes?z|mest|[a-z]+\/[a-z_]+)$/i;

/** GPS time minus the time of a scale, seconds. Galileo and QZSS keep GPS time to well below a microsecond. */
const SCALES: readonly (readonly [names: RegExp, name: string, behindGps: number])[] = [
  [/^(G|GPST?|GPS[ _-]?(TIME|SYSTEM|SECONDS)?)$/i, "GPS time", 0],
  [/^(E|GAL(ILEO)?|GST)([ _-]?TIME)?$/i, "Galileo time", 0],
  [/^(J|QZS+T?)([ _-]?TIME)?$/i, "QZSS time", 0],
  [/^(C|BDS?T?|BEIDOU)([ _-]?TIME)?$/i, "BeiDou time", 14],
  [/^TAI$/i, "TAI", -19],
];

/** Finds a time scale by its name, or by the letter of its satellite system as in SINEX; null for UTC and other names. */
export function timeScaleNamed(text: string): TimeScale | null {
  const [, name, behindGps] = SCALES.find(([names]) => names.test(text)) ?? [];
  if (name === undefined || behindGps === undefined) return null;
  return { name, toUtc: (ms) => gpsToUtc(ms + behindGps * 1_000) };
}

/** Finds a time scale by its name; “other” for a zone without a known difference from UTC, null for other texts. */
export function scaleNamed(text: string): TimeScale | "other" | null {
  const plain = text.trim().replaceAll(/\s+/g, " ");
  if (UTC_WORDS.test(plain)) return UTC;
  const [offset, sign, hours, minutes = "0"] = OFFSET.exec(plain) ?? [];
  if (offset !== undefined) {
    const aheadMs = (sign === "+" ? 1 : -1) * (Number(hours) * HOUR_MS + Number(minutes) * MINUTE_MS);
    return aheadMs === 0 ? UTC : { name: plain, toUtc: (ms) => ms - aheadMs };
  }
  const scale = plain.length > 1 ? timeScaleNamed(plain) : null;
  if (scale) return scale;
  return OTHER_ZONE.test(plain) ? "other" : null;
}

/** A time scale that a text in a file names. */
export interface NamedScale {
  readonly scale: TimeScale | "other";
  readonly text: string;
  readonly by: string;
}

const WORDS = /[a-z0-9+:−-]+/gi;
/** Words that name a scale wherever they are in the name of a time. */
const IN_NAMES = /^(utc|gmt|gps|gpst|bdt|tai|gst|lt|lst|local)$/i;

/** The scale in the name or the description of a time: `time_gps`, `GPS time`, `Local time`. */
export function scaleInWords(text: string, by: string): NamedScale[] {
  const words = text.replaceAll(/(?<=[a-z])(?=[A-Z])|_/g, " ").match(WORDS) ?? [];
  return words.flatMap((word) => {
    const scale = IN_NAMES.test(word) ? scaleNamed(word) : null;
    return scale === null ? [] : [{ scale, text: word, by }];
  });
}

const BRACKETED = /[([]([^)\]]*)[)\]]/;

/** The scale in the heading of a column: in brackets, or as a word. */
export function scaleInHeading(heading: string): NamedScale[] {
  const by = "its name";
  const [bracket = "", text = ""] = BRACKETED.exec(heading) ?? [];
  const scale = scaleNamed(text.replace(/^unit=["']?(.*?)["']?$/, "$1"));
  const words = scaleInWords(heading.replace(bracket, " "), by);
  return [...(scale === null ? [] : [{ scale, text, by }]), ...(words.length > 0 ? words : scaleStated(heading, by))];
}

const DESCRIBED = /\b(GPST|GPS[ -](?:time|seconds)|TAI|BDT|UTC|GMT|local time)\b/gi;

/** The scale in a description of a time, in which GPS alone may be the technique. */
export function scaleInDescription(text: string, by: string): NamedScale[] {
  return [...text.matchAll(DESCRIBED)].flatMap(([word]) => {
    const scale = scaleNamed(word);
    return scale === null ? [] : [{ scale, text: word, by }];
  });
}

const STATED =
  /\b(?:time[ _]?(?:system|scale|zone|reference|standard)|reference time|time ?tags?)\b\s*(?:is|are|in|of)?\s*[:=]?\s*["']?([a-z0-9+:−/-]+)/i;

/** The scale at the end of a statement on dates: `03/01/2026 through 03/02/2026 in LST` (NASA POWER). */
const DATES_IN = /\d .*\bin (LST|UTC|local time)$/i;
const ZONES: ReadonlySet<string> = new Set(Intl.supportedValuesOf("timeZone"));

/** A sentence on times: “All times are local standard time (UTC-7)”, “Epochs refer to GPST”. */
const SENTENCE =
  /\b(?:times?|epochs?|time ?stamps?|dates?|hours)\b(?: \w+){0,3} (?:is|are|in|refers? to|given in|as)\b[^.;]*?\b(GPST|GPS[ -]time(?! series)|TAI|BDT|(?:UTC|GMT)(?:[+-]\d{1,2}(?::?\d\d)?)?|local(?: \w+)? time)\b(?: \(((?:UTC|GMT)[+-]\d[\d:]*)\))?/i;

/** The scale that a comment, a title or an attribute states: `time system: GPS`, or a field such as `Europe/Helsinki`. */
export function scaleStated(text: string, by: string): NamedScale[] {
  const zone = text.split(/[\s,;"]+/).find((word) => ZONES.has(word) && word.includes("/"));
  const [, named, offset] = SENTENCE.exec(text) ?? [];
  const word = STATED.exec(text)?.[1] ?? DATES_IN.exec(text.trim())?.[1] ?? zone ?? offset ?? named ?? "";
  const scale = word === zone && zone !== "Etc/UTC" ? "other" : scaleNamed(word);
  return scale === null ? [] : [{ scale, text: word, by }];
}

/** The scale that all statements name: null without one, else one, or several that contradict each other. */
export function distinctScales(named: readonly NamedScale[]): NamedScale[] {
  const nameOf = ({ scale, text }: NamedScale): string => (scale === "other" ? text : scale.name);
  return named.filter((each, i) => named.findIndex((other) => nameOf(other) === nameOf(each)) === i);
}
