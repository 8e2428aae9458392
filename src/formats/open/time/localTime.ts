import { isDescription } from "./description.ts";

/**
 * Words for a time in the names of zones of CLDR 48, and their plurals, which Intl takes half a second to tell: before the word
 * that says which time it is (`heure de Paris`), or behind it, also as its end (`Ortszeit`, `北京时间`).
 */
const BEFORE = /^(?:heures?|horas?|hor[aá]rios?|ore|ora|oră|tiempos?|temps|tempo|ώρα|giờ|waktu)$/u;
const BEHIND =
  /(?:zeit(?:en)?|tijd(?:en)?|tid(?:er)?|aika|aikaa|ajat|aeg|laiks|laikas|czas|čas|vrijeme|vreme|idő|saati?|врем(?:я|ени)|часов|час|時間?|时间?|時刻|时刻|시간?|समय)$/u;
/** These say nothing, or that it is UTC. */
const ALONE =
  /^(?:uhrzeit(?:en)?|zeit(?:en)?|tijd(?:en)?|tid(?:er)?|aika|ajat|czas|čas|idő|saat|время|час|時間|时间|時刻|时刻|日時|시간|시각)$/u;
const UNIVERSAL = /univers|weltzeit|всемирн|世界|세계/u;
const DATES = /^(?:datum|date|data|fecha|dato|päivä|pvm|tarih|дата|dátum)$/u;
const MAX_WORDS = 6;

/** “times are Beijing time” */
const ENGLISH = /(?<=\b(?:in|is|are|as|to)\s+|[=:]\s*)((?:\p{Lu}\p{L}+ ){1,3})[Tt]imes?\b/u;

/** The words of a comment that tell in any language that times are those of a place: `Heures locales`; null without any. */
export function localTimeIn(text: string): string | null {
  if (UNIVERSAL.test(text.toLowerCase())) return null;
  const [english, place = ""] = ENGLISH.exec(text) ?? [];
  if (english !== undefined && !isDescription(place)) return english;
  const phrases = [...text.matchAll(/[^:=,;.()[\]|/"“”\n]+/gu)];
  const found = phrases.find(({ 0: phrase, index }) => {
    // The name of a value: `Heure de début: 12:00`.
    const isOfValue = /\d/.test(phrase) || /^\W*\d/.test(text.slice(index + phrase.length));
    return !isOfValue && tellsPlace((phrase.toLowerCase().match(/\p{L}+/gu) ?? []).map((word) => word.normalize()));
  });
  return found?.[0].trim() ?? null;
}

/** Whether a word is more than an article or what a time is called. */
function isTelling(word: string): boolean {
  const isLong = word.length > 3 || !/^\p{Script=Latin}+$/u.test(word);
  return isLong && ![BEFORE, ALONE, DATES].some((known) => known.test(word)) && !isDescription(word);
}

function tellsPlace(words: readonly string[]): boolean {
  if (words.length > MAX_WORDS) return false;
  return words.some((word, at) => {
    if (BEFORE.test(word)) return words.slice(at + 1).some(isTelling);
    if (!BEHIND.test(word)) return false;
    return !ALONE.test(word) || words.some((other) => other !== word && isTelling(other));
  });
}

let zonePlaces: ReadonlySet<string> | null = null;

/** The cities and regions that zones are named after. */
function placesOfZones(): ReadonlySet<string> {
  const names = Intl.supportedValuesOf("timeZone").flatMap((timeZone) => {
    const parts = new Intl.DateTimeFormat("en", { timeZone, timeZoneName: "long" }).formatToParts(0);
    const long = parts.find(({ type }) => type === "timeZoneName")?.value ?? "";
    return [timeZone.replace(/.*\//, "").replaceAll("_", " "), ...long.split(" ")];
  });
  const places = names.map((name) => name.toLowerCase()).filter((name) => name.length > 3 && !isDescription(name));
  return new Set(places.filter((name) => name !== "standard"));
}

/** The place in the name of a column of times that is named after it: `hora_brasilia`; null without one. */
export function placeIn(heading: string): string | null {
  const plain = heading.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();
  const words = plain.match(/\p{L}+/gu) ?? [];
  const [place = null] = /北京|[当當]地|本地|現地|台北|香港|日本標準|한국/u.exec(plain.normalize()) ?? [];
  if (place !== null) return place;
  const others = words.filter((word) => !BEFORE.test(word) && !BEHIND.test(word) && !isDescription(word));
  if (others.length === words.length || others.every((word) => word.length <= 3)) return null;
  zonePlaces ??= placesOfZones();
  return [...others, others.join(" ")].find((word) => zonePlaces?.has(word)) ?? null;
}
