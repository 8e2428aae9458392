import { zoneNamed } from "#shared/file/timeUnits.ts";
import { isDescription } from "./units.ts";
import { differencesIn, explained, leaping, type NamedScale, offsetIn, scaleNamed, wordsIn } from "./scale.ts";
import { abbreviatedZone, isAbbreviation } from "./zones.ts";

/** A sentence on a difference from UTC, which is not one of the above. */
const TELLS_DIFFERENCE =
  /^(?=.*\b(?:utc|gmt)\b)(?=.*\b(?:plus|minus|ahead|behind|add|subtract|offset|diff\w*|shift\w*|lag\w*|later|earlier|before|after)\b)(?=.*(?:\b[1-9]\d*(?:[:.,]\d+)?\s*|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve) )(?:h|hrs?|hours?|min|minutes?)\b)/i;

/** A difference from UTC in other words. */
const UNCLEAR =
  /\bgps\s*[-−]\s*utc\b|\b(?:offset|hours) (?:from|to) (?:utc|gmt)\b|\b(?:utc|gmt|time ?zone) offset\b.*\d|\b(?:utc|gmt) ?= ?[a-z].*\d/i;

/** Words by which a text is about times. */
const ABOUT_TIMES =
  /\b(times?|epochs?|time ?(?:stamps?|tags?)|dates?|hours|clocks?|time ?zones?|utc|gmt|(?:uhr)?zeit(?:en|angaben?|stempel|punkte?)?|heures?|horas?|tijd(?:en)?|tid(?:er)?|aika|ajat)\b|\d{4}[-/.]\d|\d[-/.]\d{4}/i;

/** A statement with its value: `time system: GPS`, `utc_offset_hours = 2`. */
const STATED =
  /\b((?:(?:utc|gmt|tz|time[ _]?zone)[ _]?(?:offset|diff\w*)|(?:time[ _]?)?(?:offset|diff\w*)[ _]from[ _](?:utc|gmt))(?:[ _](?:h|hours?|min|minutes?|s|sec\w*))?(?=\s*[:=])|time[ _]?(?:system|scale|zone|reference|standard)|reference time|time ?tags?|zeitzone|tz(?=\s*[:=])|zone(?=\s*[:=]\s*(?:[-+−]\d|\d\d?:\d\d)))\b\s*(?:(?:is|are|in|of)\s+|\s*([:=])\s*)?["']?([a-z0-9+:−/-]+)/i;

const OF_ZONE = /zone|tz|offset|diff/i;

/**
 * Scales in a sentence on times. A scale after digits is that of this one time, GPS alone may be the technique, and letters may
 * be an abbreviation of anything, unless the sentence says that times are in it.
 */
const IN_SENTENCE =
  /(?<!\d\s*)\b(?:GPST|GPS[ -](?:system )?time(?! series)|GPS[ -]seconds|TAI|BDT|GLONASST|GLONASS(?: system)? time|UTC|GMT|(?:local|solar|civil|standard|winter|summer|daylight)(?: \w+)? time|Ortszeit|(?:Winter|Sommer|Normal)zeit)\b|(?<=\b(?:in|is|are|as|to)\s+|[=:]\s*)\b(?:local|GPS|[A-Z]{2,5})\b(?=[\s).,;]*$|[).,;])|(?<=\()(?!GPS)[A-Z]{2,5}(?=\))/gi;

/** The content of brackets, and a text of one word. */
const ALONE = /[([]\s*([A-Z]+)\s*(?=[)\]])|^\W*([A-Z]+)\W*$/g;

/** A scale that times are not in: “UTC, not local time”, “converted from GPST to UTC”. */
const OTHERS = /[,;(]\s*(?:and )?not (?:in |as |the )*[\w ]+|\bfrom (?:[^\s\d]+ ){1,4}?(?=(?:in)?to\b)/gi;
const NOT_UTC = /\bnot (?:in |as |given in |the )*(?:utc|gmt)\b/i;

function withoutOthers(text: string): string {
  return text.replaceAll(OTHERS, (words) => (/^[,;(]/.test(words) || !/\bnot\b/i.test(text) ? " " : words));
}

/** The scales that a comment, a title or an attribute states. @param isOfTime whether the text describes a time */
export function scaleStated(text: string, by: string, isOfTime = false): readonly NamedScale[] {
  const whole = isOfTime && text.trim().length > 1 ? scaleNamed(text) : null;
  if (whole !== null) return [{ scale: whole, text, by }];
  const { found, rest } = differencesIn(withoutOthers(text).replace(/ \((h|hours?|min|minutes?)\)/i, " $1"));
  const [, key = "", mark, value = ""] = STATED.exec(rest) ?? [];
  const stated =
    scaleNamed(value) ??
    (mark !== undefined && OF_ZONE.test(key) ? offsetIn(value) : null) ??
    (mark !== undefined && value !== "" && !isDescription(value) ? "other" : null);
  const isAbout = isOfTime || ABOUT_TIMES.test(rest);
  const words = [...rest.matchAll(IN_SENTENCE)].flatMap(([word]) => {
    const scale = word.length > 5 || /^(local|UTC|(?!GNSS)[A-Z]+)$/.test(word) ? scaleNamed(word) : null;
    return scale === null ? [] : [{ scale, text: word, by }];
  });
  // A zone in brackets, or alone, is that of the times, whatever the text is about, if it is that of a standard or daylight time.
  const apart = [...rest.matchAll(ALONE)].flatMap(([, bracket, word = bracket ?? ""]) => {
    if (!isAbbreviation(word) || word.length <= 2) return [];
    return [{ scale: (/[SD]T$/i.test(word) ? abbreviatedZone(word) : null) ?? ("other" as const), text: word, by }];
  });
  const zones = wordsIn(rest).flatMap((each) => {
    const isOfOne = new RegExp(`\\d\\s*${each.text}\\b`).test(rest);
    return isAbbreviation(each.text) && !isOfOne ? [{ ...each, by }] : [];
  });
  if (stated && stated !== "other") return [{ scale: stated, text: value, by }];
  // A zone with one of its abbreviations may keep the same difference from UTC all year (Open-Meteo).
  const letters = found.some(({ text: zone }) => zoneNamed(zone)) ? wordsIn(rest).map((each) => ({ ...each, by })) : [];
  const named: NamedScale[] = [
    ...(letters.length === 1 ? letters : []),
    ...found.map((each) => ({ ...each, by })),
    ...(stated === null ? [] : [{ scale: stated, text: value, by }]),
    ...(isAbout ? (words.length > 0 ? words : zones) : apart),
  ];
  if (found.length === 0 && (TELLS_DIFFERENCE.test(rest) || NOT_UTC.test(rest) || UNCLEAR.test(rest)))
    return [{ scale: "other", text: text.trim(), by }];
  if (named.length === 0 && isAbout && /\blocal\b/i.test(rest)) return [{ scale: "other", text: text.trim(), by }];
  const distinct = distinctScales(leaping(rest, explained(named)));
  return distinct.length > 1 ? distinct.map((each) => ({ ...each, isOneOf: true })) : distinct;
}

/** Words for a time in other languages than English, also as the end of a word: `Ortszeit`, `北京时间`. */
const TIME_ELSEWHERE =
  /(?<!\p{L})(?:heures?|horas?|hor[aá]rios?|ore|oră|temps|waktu)(?!\p{L})|(?:(?<!uhr|^|\P{L})(?:zeit|tijd|aika)|času?|időz?|время|времени|時間?|时间?|時刻|时刻)(?!\p{L})|시간|(?<!\p{L})lokal|lokaltid/u;
/** A comment of nothing else: `local`, `ora locale`. */
const LOCAL = /^\W*(\p{L}{2,5}\s)?(local(e|es)?|lokal\p{L}*|paikallinen)(\s(time|aika|zeit|tid|tijd))?\W*$/iu;
/** “times are Beijing time” */
const OF_PLACE =
  /(?<=\b(?:in|is|are|as|to)\s+|[=:]\s*)((?:\p{Lu}\p{L}+ ){1,3})[Tt]imes?\b|^((?:\p{Lu}\p{L}+ ){1,3})[Tt]imes?$|\b(?:Uhrz|Z)eit \p{Lu}\p{L}+/u;

/** The same of a comment, which may tell in other words that times are those of a place: `Heure de Paris`. */
export function scaleInComment(text: string, by: string): readonly NamedScale[] {
  // Another sentence may contradict the first one: “local time is UTC+3; times are UTC”.
  const sentences = text.split(/;|\.\s/).flatMap((each) => scaleStated(each, by));
  const certain = distinctScales(sentences.filter(({ scale, isOneOf }) => scale !== "other" && isOneOf !== true));
  const stated = certain.length > 1 ? certain : scaleStated(text, by);
  const [english, within, place = within ?? english] = OF_PLACE.exec(text) ?? [];
  const isOfPlace = english !== undefined && !isDescription(place ?? "");
  // What has digits is the name of a value: `Heure de début: 12:00`.
  const isElsewhere =
    LOCAL.test(text) || (!/\d|univers|weltzeit/i.test(text) && TIME_ELSEWHERE.test(text.toLowerCase()));
  if (stated.length > 0 || !(isOfPlace || isElsewhere)) return stated;
  return [{ scale: "other", text: isOfPlace ? english : text.trim(), by }];
}

function nameOf({ scale, text }: NamedScale): string {
  return scale === "other" ? (abbreviatedZone(text)?.name ?? text.toLowerCase()) : scale.name;
}

/** The scales that statements name: one, or several that contradict each other. A sentence with several decides nothing. */
export function distinctScales(named: readonly NamedScale[]): NamedScale[] {
  const certain = named.filter(({ isOneOf }) => isOneOf !== true);
  const saying = certain.length > 0 ? certain : named;
  return saying.filter((each, i) => saying.findIndex((other) => nameOf(other) === nameOf(each)) === i);
}
