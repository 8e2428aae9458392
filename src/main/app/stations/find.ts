import { lettersBetween, MAX_EDITS } from "#shared/similarNames.ts";
import { type AppFault, usageFailure } from "#shared/fault.ts";
import { type Catalogue, type CatalogueStation, knownStations } from "#shared/service/catalogue.ts";
import { type Result, success } from "#shared/service/error.ts";
import { canonicalId } from "#shared/service/stationId.ts";
import { groupNamed, type StationGroup } from "#shared/station/group.ts";
import { isNear, parseCircle } from "#shared/station/position.ts";
import { fold as plainText } from "#shared/station/search.ts";
import { fold, unknownNetwork } from "./networks.ts";

/**
 * Finds stations by the words of a user: `all`, a station's id, else its display name (exactly, else ignoring case, else also
 * ignoring accents), a pattern of the display name (`Mast*`), `network:CODE`, `country:FI`, `group:NAME` or
 * `near:lat,lon,km`. Returns each station once, in the order of the words.
 *
 * @param groups of the connection
 */
export function findStations(
  catalogue: Catalogue,
  words: readonly string[],
  groups: readonly StationGroup[] = [],
): Result<CatalogueStation[], AppFault> {
  const found = new Map<string, CatalogueStation>();
  for (const word of words) {
    const matches = matching(catalogue, word.trim(), groups);
    if (matches.length === 0) return usageFailure(notFound(catalogue, word, groups));
    for (const station of matches) found.set(station.id, station);
  }
  return success([...found.values()]);
}

/**
 * Stations with cached data that the service no longer lists, and that the words would mean if it did: a station whose
 * name belongs to another one now, or one of a set.
 */
export function unlistedStations(
  catalogue: Catalogue,
  words: readonly string[],
  groups: readonly StationGroup[] = [],
): CatalogueStation[] {
  const found = findStations(catalogue, words, groups);
  const known = findStations({ ...catalogue, stations: knownStations(catalogue), withdrawn: [] }, words, groups);
  if (!found.ok || !known.ok) return [];
  const ids = new Set(found.value.map(({ id }) => id));
  return known.value.filter(({ id }) => !ids.has(id));
}

/** Stations of groups among the words that the catalogue lacks: the service removed them, and nothing of them is cached. */
export function removedOfGroups(
  catalogue: Catalogue,
  words: readonly string[],
  groups: readonly StationGroup[] = [],
): string[] {
  const known = new Set(knownStations(catalogue).map(({ id }) => id));
  const ids = words.flatMap((word) => groupOf(word.trim(), groups)?.stationIds ?? []);
  return [...new Set(ids)].filter((id) => !known.has(id));
}

function groupOf(word: string, groups: readonly StationGroup[]): StationGroup | undefined {
  return word.startsWith("group:") ? groupNamed(groups, word.slice("group:".length)) : undefined;
}

function matching(catalogue: Catalogue, word: string, groups: readonly StationGroup[]): CatalogueStation[] {
  const { stations } = catalogue;
  // A single name may mean a withdrawn station with cached data; "all" means stations that can be requested.
  if (word === "all") return [...stations];
  const [prefix, ...rest] = word.split(":");
  const value = fold(rest.join(":"));
  if (prefix === "network" && value) return stations.filter((s) => fold(s.networkCode) === value);
  if (prefix === "country" && value) return stations.filter((s) => fold(s.countryCode) === value);
  if (prefix === "group" && value) {
    const ids = new Set(groupOf(word, groups)?.stationIds);
    return knownStations(catalogue).filter((s) => ids.has(s.id));
  }
  const circle = prefix === "near" ? parseCircle(rest.join(":")) : null;
  if (circle) return stations.filter((s) => isNear(s, circle));
  const [id, exact, folded, plain] = [canonicalId(word), word, fold(word), plainText(word)];
  const criteria: readonly ((s: CatalogueStation) => boolean)[] = [
    (s) => canonicalId(s.id) === id,
    (s) => s.displayName === exact,
    (s) => fold(s.displayName) === folded,
  ];
  for (const isMeant of criteria) {
    const listed = stations.filter(isMeant);
    const known = listed.length > 0 ? listed : knownStations(catalogue).filter(isMeant);
    if (known.length > 0) return known;
  }
  const same = plain === "" ? [] : stations.filter((s) => plainText(s.displayName) === plain);
  return same.length > 0 || !/[*?]/.test(word) ? same : stations.filter(byPattern(word));
}

/** Compares names with a pattern, in which `*` is any text and `?` any character. */
function byPattern(word: string): (station: CatalogueStation) => boolean {
  const parts = word.split(/([*?])/).map((part) => {
    if (part === "*") return ".*";
    return part === "?" ? "." : plainText(part).replaceAll(/[\\^$.+()[\]{}|/-]/g, String.raw`\$&`);
  });
  const pattern = new RegExp(`^${parts.join("")}$`, "s");
  return (station) => pattern.test(plainText(station.displayName));
}

function notFound(catalogue: Catalogue, word: string, groups: readonly StationGroup[]): string {
  if (catalogue.stations.length === 0)
    return "The key of this connection shows no station: ask the service's operator.";
  const [prefix, ...rest] = word.trim().split(":");
  if (prefix === "network" && !isKnownNetwork(catalogue, rest.join(":")))
    return unknownNetwork(catalogue.networks, rest.join(":"));
  if (prefix === "group") return unknownGroup(groups, rest.join(":"));
  if (prefix === "near")
    return parseCircle(rest.join(":"))
      ? `No station with a known position lies in the circle “${rest.join(":")}”.`
      : `“${word}” is not a circle. Write near:LAT,LON,KM in degrees and kilometres, for example near:60.2,24.9,50.`;
  if (/[*?]/.test(word)) return `No station of this connection has a name like “${word}”.`;
  const near = similarNames(catalogue, plainText(word));
  const hint = near.length > 0 ? ` Did you mean ${near.map((name) => `“${name}”`).join(" or ")}?` : "";
  return `There is no station “${word}” in the catalogue of this connection.${hint}`;
}

/** The names nearest to a word: names that contain it, or differ in a few letters. */
function similarNames({ stations }: Catalogue, word: string): string[] {
  if (word === "") return [];
  const distance = (name: string): number => (name.includes(word) ? 0 : lettersBetween(name, word));
  return stations
    .map(({ displayName }) => ({ displayName, edits: distance(plainText(displayName)) }))
    .filter(({ edits }) => edits <= Math.min(MAX_EDITS, word.length / 3))
    .toSorted((a, b) => a.edits - b.edits)
    .slice(0, 3)
    .map(({ displayName }) => displayName);
}

function isKnownNetwork({ networks }: Catalogue, code: string): boolean {
  return networks.some((n) => fold(n.code) === fold(code));
}

function unknownGroup(groups: readonly StationGroup[], name: string): string {
  const group = groupNamed(groups, name);
  if (group) return `No station of the group “${group.name}” is in the catalogue of this connection.`;
  const names = groups.map((g) => `“${g.name}”`).join(", ");
  const hint =
    names === ""
      ? "Groups are made in the window, above the list of stations, or with “group add”."
      : `There are ${names}.`;
  return `There is no group “${name}” of stations of this connection. ${hint}`;
}
