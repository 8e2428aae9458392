import type { CatalogueStation, Network } from "../service/catalogue.ts";
import { canonicalId } from "../service/stationId.ts";

/** Created when first needed, because it takes a while and most commands need none. */
let countries: Intl.DisplayNames | null = null;

/** Returns the country of a code ("Finland" for "FI"); any other text unchanged. */
export function countryName(code: string): string {
  if (!/^[A-Za-z]{2}$/.test(code)) return code;
  countries ??= new Intl.DisplayNames("en-GB", { type: "region", fallback: "code" });
  return countries.of(code.toUpperCase()) ?? code;
}

/** Letters that Unicode normalization does not decompose. */
const PLAIN: Readonly<Record<string, string>> = {
  æ: "ae",
  œ: "oe",
  ø: "o",
  ð: "d",
  đ: "d",
  þ: "th",
  ß: "ss",
  ł: "l",
  ħ: "h",
  ı: "i",
};
const SPECIAL = new RegExp(`[${Object.keys(PLAIN).join("")}]`, "g");

const ASCII = /^[\n\x20-\x7e]*$/;

/** Converts to lower case without diacritics for comparisons, so that "juras" finds Jūrasciems. */
export function fold(text: string): string {
  // Skips normalization, which is expensive, for most names.
  if (ASCII.test(text)) return text.toLowerCase();
  return text
    .normalize("NFD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(SPECIAL, (letter) => PLAIN[letter] ?? letter);
}

/** Precedes the id at the end of a text of `searchTexts`. */
const ID_MARK = "\0";
/** Shorter words would match many ids. */
const MIN_ID_PART = 6;

/** Returns the searchable text of each station, to be computed once per catalogue. */
export function searchTexts(
  stations: readonly CatalogueStation[],
  networks: readonly Pick<Network, "id" | "name">[],
): readonly string[] {
  const names = new Map(networks.map((n) => [n.id, n.name]));
  return stations.map((s) => {
    const words = [
      s.displayName,
      s.locationAlias,
      s.countryCode,
      countryName(s.countryCode),
      s.networkCode,
      names.get(s.networkId) ?? "",
      s.mountpoint ?? "",
    ];
    return `${fold(words.join("\n"))}${ID_MARK}${s.id.toLowerCase()}`;
  });
}

/** Returns a predicate: whether a text of `searchTexts` contains all words of the query. An empty query matches all. */
export function searcher(query: string): (text: string) => boolean {
  const id = canonicalId(query).toLowerCase();
  const words = fold(query).split(/\s+/).filter(Boolean);
  return (text) => {
    const end = text.lastIndexOf(ID_MARK);
    const isWordOf = (word: string): boolean => {
      const at = text.indexOf(word);
      return at >= 0 && (at < end || word.length >= MIN_ID_PART);
    };
    return words.every(isWordOf) || (id !== "" && text.endsWith(ID_MARK + id));
  };
}
