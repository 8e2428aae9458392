import { zoneNamed } from "#shared/file/timeUnits.ts";
import { gpsToUtc } from "#shared/time/gpsTime.ts";
import { unitOfTimeMs } from "./units.ts";
import { isAbbreviation, type TimeScale, zoneScale } from "./zones.ts";

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
  const known = zoneScale(plain) ?? (plain.length > 1 ? timeScaleNamed(plain) : null);
  if (known) return known.unit === "UTC" && known.name === "UTC" ? UTC : known;
  return OTHER_ZONE.test(plain) || isAbbreviation(plain) ? "other" : null;
}

/** A time scale that a text in a file names. */
export interface NamedScale {
  readonly scale: TimeScale | "other";
  readonly text: string;
  readonly by: string;
  /** Whether its sentence names others, too, such as “converted from GPS time to UTC”. */
  readonly isOneOf?: boolean;
}

/** `UTC+2`, `GMT-05:00`, `UTC + 2 h`, `UTC offset +2`, `Europe/Helsinki` */
const DIFFERENCE =
  /(?<![a-z0-9]|\d\s*)(?:utc|gmt)(?:[ _]?(?:offset|time))?\s*[-+−]\s*\d{1,2}(?::?[0-5]\d)?(?!\d)(?:\s*h(?:ours?)?\b)?/gi;
const SLASHED = /[A-Za-z]+(?:\/[A-Za-z0-9_+-]+)+/g;

/** The differences from UTC and the named zones in a text, and what else it has. */
function differencesIn(text: string): { readonly found: readonly NamedScale[]; readonly rest: string } {
  const found: NamedScale[] = [];
  const take = (word: string): string => {
    const scale = scaleNamed(word.replace(/[ _]?(offset|time)/i, ""));
    if (scale === null) return word;
    found.push({ scale, text: word.trim(), by: "" });
    return " ";
  };
  const rest = text.replaceAll(DIFFERENCE, take).replaceAll(SLASHED, (word) => (zoneNamed(word) ? take(word) : word));
  return { found, rest };
}

/** Where a name states a zone: in brackets, or after a comma. */
const PLACE = /[([{]([^)\]}]*)[)\]}]?|,\s*([^,([{]+)$/g;
const WORDS = /[\p{L}\p{N}:+−-]+/gu;
/** Words that name a scale wherever they are in the name of a time, beside those of satellite systems. */
const IN_NAMES =
  /^(utc|gmt|gnss|gps|tt|ut1|glonasst?|lt|lst|lo[ck]al\w*|ortszeit|solar|(winter|sommer|normal)(zeit|tid|tijd))$/i;
/** The format of a time: `dd.mm.yyyy hh:mm`, and words on what it is the time of. */
const FORMAT =
  /^([ymdhsnjaw]|y{2,4}|j{4}|a{4}|m{2,3}|d{2,3}|h{2}|n{2}|s{2,6}|f+|t{2}|(yy)?yymmdd(t?hhmm(ss)?)?|hhmm(ss)?|ddmm(yy)?yy)$/i;
const DESCRIPTION =
  /^(start|end|begin\w*|middle|mid|cent(er|re)|mean|average|avg|interval|of|the|at|in|and|or|to|for|from|since|after|past|number|no|clock|date|times?|day|days|week|month|year|years|epoch|iso|decimals?|frac\w*|unix|posix|excel|iso\d*|julian|modified|mjd|jd|doy|sod|tow|sow|matlab|datenum|serial|am|pm|h?obs\w*|meas\w*|sampl\w*|record\w*|valid|midnight|jan\w*|\d+[a-z]?)$/i;

/** Whether a place of a name is about something else than a zone: the format of the time, its unit, or what it is the time of. */
function isDescription(text: string): boolean {
  const words = text.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  return words.every((word) => FORMAT.test(word) || DESCRIPTION.test(word) || unitOfTimeMs(word) !== null);
}

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
  const all = [...found, ...inPlaces, ...wordsIn(words).map((each) => ({ ...each, by: "" }))];
  return explained(all).map((each) => ({ ...each, by: "its name" }));
}

/** Whether a text is the name of a zone, and hardly anything else. */
export function isZone(text: string): boolean {
  const plain = text.trim();
  return plain === "UTC" || zoneNamed(plain) !== null || (plain.length > 2 && isAbbreviation(plain));
}

/** The words of a name that are scales or zones: abbreviations of zones are in capitals beside others, or of three letters or more. */
function wordsIn(text: string): Omit<NamedScale, "by">[] {
  const isCapitals = !/\p{Ll}/u.test(text);
  const words = text.replaceAll(/(?<=[a-z])(?=[A-Z])|_/g, " ").match(WORDS) ?? [];
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
function explained<T extends Pick<NamedScale, "scale">>(named: readonly T[]): readonly T[] {
  const isOffset = named.some(({ scale }) => scale !== "other" && /^UTC[-+]/.test(scale.unit));
  return isOffset ? named.filter(({ scale }) => scale !== "other" && scale !== UTC) : named;
}

/** A plain name without the scale at its end, and a heading without differences from UTC. */
export function withoutDifference(heading: string): string {
  return differencesIn(heading).rest;
}

/** Whether a word in the name of a time is a scale or a zone. */
export function isScaleWord(word: string): boolean {
  return IN_NAMES.test(word) || (word.length > 2 && (isAbbreviation(word) || timeScaleNamed(word) !== null));
}

/** Words by which a text is about times. */
const ABOUT_TIMES =
  /\b(times?|epochs?|time ?(?:stamps?|tags?)|dates?|hours|clocks?|(?:uhr)?zeit(?:en)?|heures?|horas?|tid(?:er)?|aika|ajat)\b|\d{4}[-/.]\d|\d[-/.]\d{4}/i;

/** A statement with its value: `time system: GPS`. */
const STATED =
  /\b(?:time[ _]?(?:system|scale|zone|reference|standard)|reference time|time ?tags?|zeitzone)\b\s*(?:(?:is|are|in|of)\s+|\s*([:=])\s*)?["']?([a-z0-9+:−/-]+)/i;

/**
 * Scales in a sentence on times. A scale behind digits is that of this one time, GPS alone may be the technique, and letters may
 * be an abbreviation of anything, unless the sentence says that times are in it.
 */
const IN_SENTENCE =
  /(?<!\d\s*)\b(?:GPST|GPS[ -](?:system )?time(?! series)|GPS[ -]seconds|TAI|BDT|GLONASST|GLONASS(?: system)? time|UTC|GMT|(?:local|solar|civil|standard|winter|summer|daylight)(?: \w+)? time|Ortszeit|(?:Winter|Sommer|Normal)zeit)\b|(?<=\b(?:in|is|are|as|to)\s+|[=:]\s*)\b(?:local|GPS|[A-Z]{2,5})\b(?=[\s).,;]*$|[).,;])|(?<=\()(?!GPS)[A-Z]{2,5}(?=\))/gi;

/** The content of brackets, and a text of one word. */
const ALONE = /[([]\s*([A-Z]+)\s*(?=[)\]])|^\W*([A-Z]+)\W*$/g;

/** The scales that a comment, a title or an attribute states. @param isOfTime whether the text describes a time */
export function scaleStated(text: string, by: string, isOfTime = false): readonly NamedScale[] {
  const whole = isOfTime && text.trim().length > 1 ? scaleNamed(text) : null;
  if (whole !== null) return [{ scale: whole, text, by }];
  const { found, rest } = differencesIn(text);
  const [, mark, value = ""] = STATED.exec(rest) ?? [];
  const stated = scaleNamed(value) ?? (mark !== undefined && value !== "" && !isDescription(value) ? "other" : null);
  const words = [...rest.matchAll(IN_SENTENCE)].flatMap(([word]) => {
    const scale = word.length > 5 || /^(local|UTC|(?!GNSS)[A-Z]+)$/.test(word) ? scaleNamed(word) : null;
    return scale === null ? [] : [{ scale, text: word, by }];
  });
  // A zone in brackets, or alone, is that of the times, whatever the text is about.
  const apart = [...rest.matchAll(ALONE)].flatMap(([, bracket, word = bracket ?? ""]) => {
    const scale = isAbbreviation(word) && word.length > 2 ? scaleNamed(word) : null;
    return scale === null ? [] : [{ scale, text: word, by }];
  });
  const isAbout = isOfTime || ABOUT_TIMES.test(rest);
  if (stated && stated !== "other") return [{ scale: stated, text: value, by }];
  // A zone with one of its abbreviations may keep the same difference from UTC all year (Open-Meteo).
  const letters = found.some(({ text: zone }) => zoneNamed(zone)) ? wordsIn(rest).map((each) => ({ ...each, by })) : [];
  const named: NamedScale[] = [
    ...(letters.length === 1 ? letters : []),
    ...found.map((each) => ({ ...each, by })),
    ...(stated === null ? [] : [{ scale: stated, text: value, by }]),
    ...(isAbout ? words : apart),
  ];
  const distinct = distinctScales(explained(named));
  return distinct.length > 1 ? distinct.map((each) => ({ ...each, isOneOf: true })) : distinct;
}

/** The scales that statements name: one, or several that contradict each other. A sentence with several decides nothing. */
export function distinctScales(named: readonly NamedScale[]): NamedScale[] {
  const nameOf = ({ scale, text }: NamedScale): string => (scale === "other" ? text.toLowerCase() : scale.name);
  const certain = named.filter(({ isOneOf }) => isOneOf !== true);
  const saying = certain.length > 0 ? certain : named;
  return saying.filter((each, i) => saying.findIndex((other) => nameOf(other) === nameOf(each)) === i);
}

/** Texts of times with an offset of their own. */
export const HAS_OFFSET = /\d(Z|\s?(?:UTC|GMT)([+-]\d{1,2}(:?\d\d)?)?|:\d\d(?:[.,]\d+)?[+-]\d\d(:?\d\d)?)$/i;

/** A zone after a clock time, and after its offset from UTC as Java writes it: `12:00 EET`, `12:00+01:00[Europe/Paris]`. */
const BEHIND_CLOCK = /(?<=\d)\s*(?:\[([A-Za-z0-9/_+-]+)\]|\s([A-Za-z]{2,8}))$/;

/** The text of a time without the zone after it, and this zone. UTC, which is part of ISO 8601 texts, is kept. */
export function splitZone(field: string): { readonly text: string; readonly zone: string | null } {
  const [all = "", bracket, word = bracket ?? ""] = BEHIND_CLOCK.exec(field) ?? [];
  if (/^uhr$/i.test(word)) return { text: field.slice(0, -all.length), zone: null };
  const scale = word === "" ? null : scaleNamed(word);
  return scale === null || (scale === UTC && bracket === undefined)
    ? { text: field, zone: null }
    : { text: field.slice(0, -all.length), zone: word };
}
