import type { CatalogueStation, Network } from "#shared/service/catalogue.ts";

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

/** What a search looks into, for each station in the order of the catalogue: made once, not with every key. */
export function searchTexts(stations: readonly CatalogueStation[], networks: readonly Network[]): readonly string[] {
  const names = new Map(networks.map((n) => [n.id, n.name]));
  return stations.map((s) =>
    fold([s.displayName, s.locationAlias, s.networkCode, names.get(s.networkId) ?? "", s.mountpoint ?? ""].join("\n")),
  );
}

/** Whether a text of `searchTexts` has all words of the query; every text has those of an empty one. */
export function searcher(query: string): (text: string) => boolean {
  const words = fold(query).split(/\s+/).filter(Boolean);
  return (text) => words.every((word) => text.includes(word));
}
