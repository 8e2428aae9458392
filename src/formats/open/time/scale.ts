import { type ChosenColumn, roleWord } from "#shared/file/columns.ts";
import { offsetName, zoneNamed } from "#shared/file/timeUnits.ts";
import { gpsToUtc } from "#shared/time/gpsTime.ts";
import type { Question } from "../meaning/columns.ts";
import { quotedName } from "../notes.ts";
import { isDescription, unitOfTimeMs } from "./units.ts";
import { abbreviatedZone, isAbbreviation, possibleZones, type TimeScale, zoneScale } from "./zones.ts";

export const UTC: TimeScale = { name: "UTC", unit: "UTC", toUtc: (ms) => ms };

const UTC_WORDS = /^(utc?|tuc?|gmt|z|zulu|utc\s*[+-]?0{1,2}(:?00)?|universal( time)?|coordinated universal time)$/i;

/** GPS time minus the time of a scale, seconds. Galileo and QZSS keep GPS time to well below a microsecond. */
const SCALES: readonly (readonly [names: RegExp, name: string, unit: string, behindGps: number])[] = [
  [/^(G|GPST?|GPS[ _-]?(TIME|SYSTEM([ _-]TIME)?|SECONDS)?)$/i, "GPS time", "GPS", 0],
  [/^(E|GAL(ILEO)?|GST)([ _-]?(SYSTEM[ _-]?)?TIME)?$/i, "Galileo time", "GPS", 0],
  [/^(J|QZS+T?)([ _-]?TIME)?$/i, "QZSS time", "GPS", 0],
  [/^(C|BDS?T?|BEIDOU)([ _-]?(SYSTEM[ _-]?)?TIME)?$/i, "BeiDou time", "BDT", 14],
  [/^TAI$/i, "TAI", "TAI", -19],
  [/^(TT|TDT|TERRESTRIAL TIME)$/i, "TT", "TT", -51.184],
];

export const GPS: TimeScale = { name: "GPS time", unit: "GPS", toUtc: gpsToUtc };

/** Finds a time scale by its name, or by the letter of its satellite system as in SINEX; null for UTC and other names. */
export function timeScaleNamed(text: string): TimeScale | null {
  // By definition, UT1 differs from UTC by less than 0.9 s.
  if (/^UT1$/i.test(text)) return { ...UTC, name: "UT1, which is within 0.9 s of UTC" };
  const [, name, unit, behindGps] = SCALES.find(([names]) => names.test(text)) ?? [];
  if (name === undefined || unit === undefined || behindGps === undefined) return null;
  return { name, unit, toUtc: (ms) => gpsToUtc(ms + behindGps * 1_000) };
}

/** Zones whose difference from UTC these words do not tell, or not all year round. */
const OTHER_ZONE =
  /^(local|lo[ck]al\w*|lokal\w*|(local|solar|civil|wall|standard|daylight|winter|summer)( \w+)? time|ortszeit|(winter|sommer|normal)(zeit|tid|tijd)|solar|gnss([ _-]?time)?|glo(nass)?[ _-]?(system[ _-]?)?(time|t)?|(c|e|w|m|p|a|n|j|k|i|b)[a-z]?(s|d|e)?t)$/i;

/** Finds a time scale by its name; “other” for a zone without a known difference from UTC, null for other texts. */
export function scaleNamed(text: string): TimeScale | "other" | null {
  const plain = text.trim().replaceAll(/\s+/g, " ");
  if (UTC_WORDS.test(plain) || plain === "Etc/UTC") return UTC;
  const known = zoneScale(plain) ?? abbreviatedZone(plain) ?? (plain.length > 1 ? timeScaleNamed(plain) : null);
  if (known) return known.unit === "UTC" && known.name === "UTC" ? UTC : known;
  return OTHER_ZONE.test(plain) || isAbbreviation(plain) ? "other" : null;
}

/** The difference from UTC that a number in hours, minutes or seconds tells, which have other ranges, or digits: `+0530`. */
export function offsetIn(field: string): TimeScale | null {
  const text = field.trim().replace("−", "-");
  const [, hours = "", rest = ""] = /^[-+]?(0\d|1[0-4]):?(\d\d)$/.exec(text) ?? [];
  const size = Math.abs(Number(text.replace(",", ".") || "NaN"));
  const ofNumber = size <= 14 ? 60 * size : size <= 14 * 60 ? size : size / 60;
  const minutes = hours === "" ? ofNumber : 60 * Number(hours) + Number(rest);
  if (!(minutes % 15 === 0 && minutes <= 14 * 60)) return null;
  return minutes === 0 ? UTC : zoneScale(offsetName(text.startsWith("-") ? -minutes : minutes));
}

/** A time scale that a text in a file names. */
export interface NamedScale {
  readonly scale: TimeScale | "other";
  readonly text: string;
  readonly by: string;
  /** Whether its sentence names others, too, such as “converted from GPS time to UTC”. */
  readonly isOneOf?: boolean;
}

/** `UTC+2`, `GMT-05:00`, `UTC + 2 h`, `UTC offset: +2`, `UTC minus 5 hours`. The sign of `Etc/GMT-2` is the opposite one. */
const DIFFERENCE =
  /(?<![a-z0-9/]|\d\s*)(?:utc|gmt)(?:[ _]?time|[ _]?offset\s*[:=]?)?\s*(?:[-+−]|plus|minus)\s*\d{1,2}(?::?[0-5]\d|[.,](?:25|75|50?|0)0*(?!\d))?(?![.,]?\d)(?:\s*h(?:ours?)?\b)?/gi;
const SLASHED = /[A-Za-z]+(?:\/[A-Za-z0-9_+-]+)+/g;
/** The differences from UTC and the named zones in a text, and what else it has. */
export function differencesIn(text: string): { readonly found: readonly NamedScale[]; readonly rest: string } {
  const found: NamedScale[] = [];
  const take = (word: string, name = word): string => {
    const scale = scaleNamed(name);
    if (scale === null) return word;
    found.push({ scale, text: word.trim(), by: "" });
    return " ";
  };
  const rest = text
    .replaceAll(/(?<=[a-z])(?=(?:UTC|GMT))|_(?=(?:utc|gmt|plus|minus|\d))/gi, " ")
    .replaceAll(DIFFERENCE, (word) => take(word, plainDifference(word)))
    .replaceAll(SLASHED, (word) => (zoneNamed(word) ? take(word) : word));
  return { found, rest };
}

/** `UTC-5:30` of `UTC offset: -5.5` or `UTC minus 5:30` */
function plainDifference(text: string): string {
  return text
    .replace(/[ _]?(?:offset\s*[:=]?|time)/i, "")
    .replace(/plus/i, "+")
    .replace(/minus/i, "-")
    .replace(/[.,](\d+)/, (_, part: string) => `:${String(60 * Number(`0.${part}`)).padStart(2, "0")}`);
}

/** Where a name states a zone: in brackets, or after a comma. */
const PLACE = /[([{]([^)\]}]*)[)\]}]?|,\s*([^,([{]+)$/g;
const WORDS = /[\p{L}\p{N}:+−-]+/gu;
/** Words that name a scale wherever they are in the name of a time, beside those of satellite systems. */
const IN_NAMES =
  /^(utc|gmt|gnss|gps|tt|ut1|glonasst?|lt|lst|lo[ck]al\w*|ortszeit|solar|(winter|sommer|normal)(zeit|tid|tijd))$/i;
/**
 * The scales in the name of a time, and the name without them: `time_gps`, `Local time`, `Date Time, GMT-05:00`. What is in the
 * place of a zone and is not understood is a zone without a known difference from UTC.
 */
export function scaleInHeading(heading: string): readonly NamedScale[] {
  const { found, rest } = differencesIn(heading);
  const inPlaces: NamedScale[] = [];
  const words = rest.replaceAll(PLACE, (_, bracket?: string, after?: string) => {
    const text = (bracket ?? after ?? "").replace(/^unit=["']?(.*?)["']?$/, "$1").trim();
    const scale = scaleNamed(text);
    const named = scale ? [{ scale, text }] : wordsIn(text);
    if (named.length === 0 && !isDescription(text)) named.push({ scale: "other", text });
    inPlaces.push(...named.map((each) => ({ ...each, by: "" })));
    return " ";
  });
  const all: NamedScale[] = [...found, ...inPlaces, ...wordsIn(words).map((each) => ({ ...each, by: "" }))];
  return leaping(heading, explained(all)).map((each) => ({ ...each, by: "its name" }));
}

/** Whether a text is the name of a zone, and hardly anything else. */
export function isZone(text: string): boolean {
  const plain = text.trim();
  return plain === "UTC" || zoneNamed(plain) !== null || (plain.length > 2 && isAbbreviation(plain));
}

/** The words of a name that are scales or zones: abbreviations of zones are in capitals beside others, or of three letters or more. */
export function wordsIn(text: string): Omit<NamedScale, "by">[] {
  const isCapitals = !/\p{Ll}/u.test(text);
  const words = text.replaceAll(/(?<=[a-z])(?=[A-Z])|_|(?<=\p{L})-(?=\p{L})/gu, " ").match(WORDS) ?? [];
  return words.flatMap((word): Omit<NamedScale, "by">[] => {
    const isName = isAbbreviation(word) && (word.length > 2 || (!isCapitals && /^[A-Z]+$/.test(word)));
    const isSystem = word.length > 2 && timeScaleNamed(word) !== null;
    const scale = IN_NAMES.test(word) || isSystem || isName ? scaleNamed(word) : null;
    return scale === null ? [] : [{ scale, text: word }];
  });
}

/** The scale in the units of a time: `seconds since 1980-01-06 00:00:00 GPS`. */
export function scaleInUnits(units: string): NamedScale[] {
  return wordsIn(units.replace(/(?<=\d)Z$/i, " UTC")).map((each) => ({ ...each, by: "its units" }));
}

/** Seconds that are counted from the start of another scale may be those of it. */
const STARTS: readonly (readonly [RegExp, TimeScale["unit"], string])[] = [
  [/^1980-0?1-0?6([T ]0?0:0?0(:0?0(\.0*)?)?)?$/, "GPS", "GPS time"],
  [/^2000-0?1-0?1[T ]12:0?0(:0?0(\.0*)?)?$/, "TT", "J2000"],
];

/** The scales in which seconds may be counted, by their start: `seconds since 1980-01-06`. */
export function scalesOfStart(units: string): NamedScale[] {
  const [, unit = "", start = ""] = /^\s*(\w+) since (.*?)\s*$/i.exec(units) ?? [];
  const [, scaleUnit = "", name] = STARTS.find(([pattern]) => pattern.test(start)) ?? [];
  const scale = timeScaleNamed(scaleUnit);
  if (scale === null || !((unitOfTimeMs(unit) ?? Number.NaN) <= 1_000)) return [];
  return [scale, UTC].map((each, i) => ({ scale: each, text: each.name, by: i === 0 ? `the start of ${name}` : "CF" }));
}

/** A difference from UTC explains the words beside it: `local standard time (UTC-7)`. */
export function explained<T extends Pick<NamedScale, "scale">>(named: readonly T[]): readonly T[] {
  const isOffset = named.some(({ scale }) => scale !== "other" && /^UTC[-+]/.test(scale.unit));
  return isOffset ? named.filter(({ scale }) => scale !== "other" && scale !== UTC) : named;
}

/** GPS time from which leap seconds were subtracted is UTC, and GPS time to which they do not apply is not. */
export function leaping<T extends Pick<NamedScale, "scale" | "text">>(text: string, named: readonly T[]): readonly T[] {
  if (!/(?<!\b(?:no|without|not)\b.*)\bleap\b(?!.*\bnot\b)|[-−]\s*1[1-9](\.0*)?\s*s/i.test(text)) return named;
  return named.map((each) =>
    each.scale !== "other" && each.scale.unit === "GPS" ? { ...each, scale: "other", text: text.trim() } : each,
  );
}

/** Whether a word in the name of a time is a scale or a zone. */
export function isScaleWord(word: string): boolean {
  return IN_NAMES.test(word) || (word.length > 2 && (isAbbreviation(word) || timeScaleNamed(word) !== null));
}

/** Texts of times with an offset of their own. */
export const HAS_OFFSET = /\d(Z|\s?(?:UTC|GMT)([+-]\d{1,2}(:?\d\d)?)?|:\d\d(?:[.,]\d+)? ?[+-]\d\d(:?\d\d)?)$/i;

/** A zone after a clock time, and after its offset from UTC as Java writes it: `12:00 EET`, `12:00+01:00[Europe/Paris]`. */
const BEHIND_CLOCK = /(?<=\d)\s*(?:\[([A-Za-z0-9/_+-]+)\]|\s([A-Za-z]{2,8}|[A-Za-z]+(?:\/[A-Za-z_]+)+))$/;

/** The text of a time without the zone after it, and this zone. UTC, which is part of ISO 8601 texts, is kept. */
export function splitZone(field: string): { readonly text: string; readonly zone: string | null } {
  const [all = "", bracket, word = bracket ?? ""] = BEHIND_CLOCK.exec(field) ?? [];
  if (/^uhr$/i.test(word)) return { text: field.slice(0, -all.length), zone: null };
  const scale = word === "" ? null : scaleNamed(word);
  return scale === null || (scale === UTC && bracket === undefined)
    ? { text: field, zone: null }
    : { text: field.slice(0, -all.length), zone: word };
}

/** Asks for the scale of a time of which the file says several, or one that is not known. */
export function scaleQuestion(
  name: string,
  column: Pick<ChosenColumn, "column" | "role">,
  named: readonly NamedScale[],
): Question {
  const [only] = named;
  const words = named.map(({ text, by }) => `${text} by ${by}`).join(" and ");
  const sentence =
    named.length === 1 && only
      ? `The times in ${name} are in the zone ${quotedName(only.text)}, whose difference from UTC is not known.`
      : `The times in ${name} are in ${words}.`;
  const units = named.flatMap(({ scale, text }) => (scale === "other" ? possibleZones(text) : [scale.unit]));
  // Different zones that are not known are not one of them.
  const isMixed = named.length > 1 && named.every(({ scale }) => scale === "other");
  const choices = (isMixed ? [] : [...new Set(units)]).map((unit) => ({ ...column, unit }));
  // A word without a zone would lead to the same question.
  const example = `${column.column}=${roleWord(column.role)}`;
  const how = `Give it, as in ${quotedName(`${example}:UTC+5:30`)} or ${quotedName(`${example}:Europe/Helsinki`)}.`;
  return choices.length > 0 ? { sentence, choices } : { sentence: `${sentence} ${how}`, choices: [] };
}
