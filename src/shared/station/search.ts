import type { CatalogueStation, Network } from "../service/catalogue.ts";
import { canonicalId } from "../service/stationId.ts";

const COUNTRIES = new Intl.DisplayNames("en-GB", { type: "region", fallback: "code" });

/** "Finland" for "FI"; what is no code of a country, as it is. */
export function countryName(code: string): string {
  return /^[A-Za-z]{2}$/.test(code) ? (COUNTRIES.of(code.toUpperCase()) ?? code) : code;
}

/** Letters that carry no mark which Unicode could take off. */
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

/** Text as it is compared: small letters without marks, so that "juras" finds Jūrasciems. */
export function fold(text: string): string {
  // Most names have no marks; taking them apart is what costs.
  if (ASCII.test(text)) return text.toLowerCase();
  return text
    .normalize("NFD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(SPECIAL, (letter) => PLAIN[letter] ?? letter);
}

/** In front of the id, which a text of `searchTexts` ends with. */
const ID_MARK = "\0";
/** Shorter words would find the digits of many ids. */
const SHORTEST_ID_PART = 6;

/** What a search looks into, for each station in the order of the catalogue: made once, not with every key. */
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

/** Whether a text of `searchTexts` has all words of the query; every text has those of an empty one. */
export function searcher(query: string): (text: string) => boolean {
  const id = canonicalId(query).toLowerCase();
  const words = fold(query).split(/\s+/).filter(Boolean);
  return (text) => {
    const end = text.lastIndexOf(ID_MARK);
    const isWordOf = (word: string): boolean => {
      const at = text.indexOf(word);
      return at >= 0 && (at < end || word.length >= SHORTEST_ID_PART);
    };
    return words.every(isWordOf) || (id !== "" && text.endsWith(ID_MARK + id));
  };
}
