import { isDescription } from "./description.ts";
import { scaleNamed, UTC } from "./scale.ts";

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
const ENGLISH =
  /(?<=\b(?:in|is|are|as|to)\s+|[=:]\s*)((?:\p{Lu}\p{L}+ ){1,3})[Tt]imes?\b|^((?:\p{Lu}\p{L}+ ){1,3})[Tt]imes?$/u;

/** The words of a comment that tell in any language that times are those of a place: `Heures locales`; null without any. */
export function localTimeIn(text: string): string | null {
  if (UNIVERSAL.test(text.toLowerCase())) return null;
  const [english, within, place = within ?? ""] = ENGLISH.exec(text) ?? [];
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

/** Words of names that say what a time is of, beside those of descriptions. */
const OF_TIMES =
  /^(zeit(punkt|stempel|marke)|mess(zeit(punkt)?|datum)|beob\w*|anfang|beginn|ende?|tidspunkt|tijdstip|meettijd|aikaleima|mittausaika|havaintoaika|instant\w*|moment\w*|horodat\w*|(fecha|data|date)_?hora|(time|tm)?stamp|toaci|ob|zone|column|mess|station|launch|upload|system|t?(y{2,4}|a{2,4}|j{2,4}|m{2,3}|d{2,3}|h{2}|s{2,3})+|dt|t|gps|(系统|観測|观测|測定|测量|采样|采集|記録|记录|数据|資料|资料|开始|開始|结束|終了|関測)*(年月)?(日時?|日付|日期|时间|時間|時刻|时刻)|наблюден\p{L}*|измерен\p{L}*|관측)$/u;

/** A word in the name of a time that may be a place or a zone, because it is no word of times; null without one. */
export function unknownWord(heading: string): string | null {
  const [difference] = /[-+−]\s*\d{1,2}(?=\s*h?\b)/.exec(heading) ?? [];
  const words = heading.replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, " ").match(/\\x[\da-f\\x]+|\p{L}+/gu) ?? [];
  return difference ?? words.find((word) => !isOfTimes(word.toLowerCase().normalize())) ?? null;
}

function isOfTimes(word: string): boolean {
  return (
    [BEFORE, ALONE, DATES, OF_TIMES].some((known) => known.test(word)) ||
    isDescription(word) ||
    scaleNamed(word) === UTC
  );
}
