import { canonicalId } from "#shared/service/stationId.ts";
import { failure, type Result, success } from "#shared/service/error.ts";
import { type Catalogue, type CatalogueStation, knownStations } from "#shared/service/catalogue.ts";
import { type AppFault, usageFault } from "#shared/fault.ts";
import { fold } from "./fold.ts";
import { unknownNetwork } from "./networks.ts";

/**
 * Finds stations by what a person calls them: `all`, a station's id, its display name (without case), `network:CODE`
 * or `country:FI`. Each station once, in the order of the words.
 */
export function findStations(catalogue: Catalogue, words: readonly string[]): Result<CatalogueStation[], AppFault> {
  const found = new Map<string, CatalogueStation>();
  for (const word of words) {
    const matches = matching(catalogue, word.trim());
    if (matches.length === 0) return failure(usageFault(notFound(catalogue, word)));
    for (const station of matches) found.set(station.id, station);
  }
  return success([...found.values()]);
}

function matching(catalogue: Catalogue, word: string): CatalogueStation[] {
  const { stations } = catalogue;
  // Who names a single one may mean what was cached of it before it was withdrawn; "all" are those that can be asked for.
  if (word === "all") return [...stations];
  const [prefix, ...rest] = word.split(":");
  const value = fold(rest.join(":"));
  if (prefix === "network" && value) return stations.filter((s) => fold(s.networkCode) === value);
  if (prefix === "country" && value) return stations.filter((s) => fold(s.countryCode) === value);
  const isNamed = (s: CatalogueStation): boolean =>
    canonicalId(s.id) === canonicalId(word) || fold(s.displayName) === fold(word);
  const listed = stations.filter(isNamed);
  return listed.length > 0 ? listed : knownStations(catalogue).filter(isNamed);
}

function notFound(catalogue: Catalogue, word: string): string {
  if (catalogue.stations.length === 0)
    return "The key of this connection shows no station: ask the service's operator.";
  const [prefix, ...rest] = word.trim().split(":");
  if (prefix === "network" && !isKnownNetwork(catalogue, rest.join(":")))
    return unknownNetwork(catalogue.networks, rest.join(":"));
  const near = catalogue.stations
    .filter((s) => fold(s.displayName).includes(fold(word)) && word.trim() !== "")
    .slice(0, 3);
  const hint = near.length > 0 ? ` Did you mean ${near.map((s) => `“${s.displayName}”`).join(" or ")}?` : "";
  return `There is no station “${word}” in the catalogue of this connection.${hint}`;
}

function isKnownNetwork({ networks }: Catalogue, code: string): boolean {
  return networks.some((n) => fold(n.code) === fold(code));
}
