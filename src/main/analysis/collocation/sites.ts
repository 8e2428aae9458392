import type { MatchKind, Site, SiteMatch } from "#shared/comparison.ts";
import { canonicalId } from "#shared/service/stationId.ts";
import { distanceKm, type Height, heightAbove, KM_PER_DEGREE } from "#shared/station/position.ts";
import { hydrostaticDelayMm } from "../derived/formulas.ts";
import { standardPressureHpa } from "../derived/derive.ts";
import { geoidHeight, heightDifferenceOf, type Undulation, undulationOf } from "./heights.ts";

/** The user's decisions about matches, by the ids of the sites. */
export interface ChosenMatches {
  /** From A to B. */
  readonly pairs: ReadonlyMap<string, string>;
  /** Sites that have no match. */
  readonly unmatchedA: ReadonlySet<string>;
  readonly unmatchedB: ReadonlySet<string>;
}

interface MatchOptions {
  /** Maximum distance of sites that are matched by their positions alone, kilometres. */
  readonly withinKm: number;
  readonly chosen: ChosenMatches;
  /** Converts heights; by default, only with the sites whose heights above both surfaces are known. */
  readonly undulation?: Undulation;
}

/**
 * Returns the best match in B for each site of A, in their order: chosen by the user, else by the station's id, by DOMES
 * number, by four-character name, or the nearest site within the distance. Several sites of A may share one of B.
 */
export function matchSites(a: readonly Site[], b: readonly Site[], options: MatchOptions): SiteMatch[] {
  const { withinKm, chosen, undulation = undulationOf([...a, ...b].map(({ position }) => position)) } = options;
  const candidates = b.filter((site) => !chosen.unmatchedB.has(site.id));
  const finders = findersOf(candidates);
  return a.flatMap((site) => {
    if (chosen.unmatchedA.has(site.id)) return [];
    const found = matchOf(site, finders, candidates, { withinKm, chosenId: chosen.pairs.get(site.id) });
    return found === null ? [] : [matched([site, found.site], found.by, undulation)];
  });
}

interface Finders {
  readonly byId: ReadonlyMap<string, Site>;
  readonly byStation: ReadonlyMap<string, Site>;
  readonly byDomes: ReadonlyMap<string, Site>;
  readonly byName: ReadonlyMap<string, Site>;
}

function findersOf(sites: readonly Site[]): Finders {
  const by = (keyOf: (site: Site) => string | null): Map<string, Site> => {
    const found = new Map<string, Site>();
    const ambiguous = new Set<string>();
    for (const site of sites) {
      const key = keyOf(site);
      if (key === null) continue;
      if (found.has(key)) ambiguous.add(key);
      found.set(key, site);
    }
    // A name that two sites share identifies neither.
    for (const key of ambiguous) found.delete(key);
    return found;
  };
  return {
    byId: by((site) => site.id),
    byStation: by((site) => site.stationId && canonicalId(site.stationId)),
    byDomes: by((site) => site.domes),
    byName: by((site) => siteName(site.label)),
  };
}

function matchOf(
  site: Site,
  finders: Finders,
  sites: readonly Site[],
  { withinKm, chosenId }: { readonly withinKm: number; readonly chosenId: string | undefined },
): { readonly site: Site; readonly by: MatchKind } | null {
  const name = siteName(site.label);
  const ways: readonly (readonly [MatchKind, Site | undefined])[] = [
    ["chosen", chosenId === undefined ? undefined : finders.byId.get(chosenId)],
    ["id", site.stationId === null ? undefined : finders.byStation.get(canonicalId(site.stationId))],
    ["domes", site.domes === null ? undefined : finders.byDomes.get(site.domes)],
    ["name", name === null ? undefined : finders.byName.get(name)],
    ["distance", nearestSite(site, sites, withinKm)],
  ];
  for (const [by, other] of ways) if (other) return { site: other, by };
  return null;
}

function matched([a, b]: readonly [Site, Site], by: MatchKind, undulation: Undulation): SiteMatch {
  const { difference, isSameReference } = heightDifferenceOf(a.position, b.position, undulation);
  return { a, b, by, distanceKm: between(a, b), heightDifference: difference, isSameReference };
}

/**
 * A name for matching: letters and digits in upper case. Of nine characters as in SINEX 2.02 (`KALL00FIN`), the first
 * four count. Null without any.
 */
export function siteName(label: string): string | null {
  const plain = label
    .normalize("NFKD")
    .replaceAll(/[^\p{L}\p{N}]/gu, "")
    .toUpperCase();
  if (plain === "") return null;
  return /^[A-Z0-9]{4}\d\d[A-Z]{3}$/.test(plain) ? plain.slice(0, 4) : plain;
}

function nearestSite(site: Site, sites: readonly Site[], withinKm: number): Site | undefined {
  let best: { readonly site: Site; readonly km: number } | undefined;
  for (const other of sites) {
    // Most are excluded by their latitude alone.
    const degrees = Math.abs((site.position?.latitudeDeg ?? 0) - (other.position?.latitudeDeg ?? 0));
    if (degrees * KM_PER_DEGREE > withinKm) continue;
    const km = between(site, other);
    if (km !== null && km <= withinKm && (!best || km < best.km)) best = { site: other, km };
  }
  return best?.site;
}

function between(a: Site, b: Site): number | null {
  return a.position && b.position ? distanceKm(a.position, b.position) : null;
}

/** Height over which the water vapour falls to 1/e, metres; a usual value for middle latitudes. */
export const WET_SCALE_HEIGHT_M = 2_000;

/**
 * The values of B at the height of A. Hydrostatic part of ZTD: Saastamoinen's delay with the pressure of the standard
 * atmosphere at both heights. Wet part of ZTD, and PWV: multiplied by exp(−Δh / 2,000 m). A model, not a measurement:
 * results are labelled as derived.
 *
 * @param values ZTD or PWV of B, mm
 * @returns null if a height is unknown
 */
export function atHeightOfA(
  values: Float64Array,
  { a, b, heightDifference }: SiteMatch,
  variable: "ztd" | "pwv",
  undulation: Undulation,
): Float64Array | null {
  const heightA = correctionHeight(a, undulation);
  if (heightA === null || heightDifference === null) return null;
  // By the difference: the two heights may be above different surfaces.
  const heightB = { ...heightA, metres: heightA.metres - heightDifference };
  const wetFactor = Math.exp(-heightDifference / WET_SCALE_HEIGHT_M);
  if (variable === "pwv") return values.map((value) => value * wetFactor);
  const latitudeDeg = b.position?.latitudeDeg ?? 45;
  const dryA = dryDelayMm(heightA, latitudeDeg);
  const dryB = dryDelayMm(heightB, latitudeDeg);
  return values.map((value) => dryA + (value - dryB) * wetFactor);
}

/**
 * The height of A above the geoid; above the ellipsoid if only that is known. The correction depends on the difference of
 * the heights, and on the height itself by about 1 % per 100 m.
 */
function correctionHeight({ position }: Site, undulation: Undulation): Height<"geoid"> | null {
  const known = geoidHeight(position, undulation);
  if (known) return known.height;
  const ellipsoidal = heightAbove(position, "ellipsoid");
  return ellipsoidal && { metres: ellipsoidal.metres, above: "geoid" };
}

function dryDelayMm(height: Height<"geoid">, latitudeDeg: number): number {
  return hydrostaticDelayMm({ value: standardPressureHpa(height), sigma: 0 }, latitudeDeg, height).value;
}
