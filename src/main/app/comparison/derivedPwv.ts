import type { Site } from "#shared/comparison.ts";
import type { AppFault } from "#shared/fault.ts";
import { type Result, success } from "#shared/service/error.ts";
import type { Height, Position } from "#shared/station/position.ts";
import { many } from "#shared/text.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { DAY_MS, HOUR_MS } from "#shared/time/utc.ts";
import { interpolate, type ValueRows, withValues } from "../../analysis/compare/series.ts";
import { geoidHeight, type GeoidHeight, type Undulation, undulationOf } from "../../analysis/collocation/heights.ts";
import { matchSites } from "../../analysis/collocation/sites.ts";
import { hydrostaticDelayMm, meanTemperatureK, waterPerDelay } from "../../analysis/derived/formulas.ts";
import { standardPressureHpa, standardTemperatureK } from "../../analysis/derived/derive.ts";
import type { Source } from "./sources.ts";

/** Where the pressure at a site comes from: the standard atmosphere at its height, one value, or series. */
export type Pressure =
  | { readonly kind: "standard" }
  | { readonly kind: "value"; readonly hPa: number }
  /** In hPa, at sites or on a grid that is interpolated to the sites of the ZTD. */
  | { readonly kind: "series"; readonly name: string; sourceAt(sites: readonly Site[]): Result<Source, AppFault> };

/** Synoptic stations report pressure every six hours. */
const MAX_GAP_MS = 6 * HOUR_MS;
/** Within this distance, pressures differ by height alone, to about 1 hPa. */
const WITHIN_KM = 50;
const NO_CHOSEN_MATCHES = {
  pairs: new Map<string, string>(),
  unmatchedA: new Set<string>(),
  unmatchedB: new Set<string>(),
};

/**
 * Derives PWV in mm from ZTD: the hydrostatic delay after Saastamoinen (1972) from the pressure, the wet delay as the
 * rest, and its water after Bevis et al. (1992) from the standard temperature at the site.
 *
 * @param ztd sites without a height above the geoid or without a pressure are left out
 * @param positions further places whose heights may be known above ellipsoid and geoid, to convert between them
 */
export function derivedPwv(
  ztd: Source,
  pressure: Pressure,
  positions: readonly (Position | null)[],
): Result<Source, AppFault> {
  const series = pressure.kind === "series" ? pressure.sourceAt(ztd.sites) : null;
  if (series && !series.ok) return series;
  const source = series?.value ?? null;
  const own = [...ztd.sites, ...(source?.sites ?? [])].map(({ position }) => position);
  const places = placesOf(ztd.sites, source, undulationOf([...own, ...positions]));
  return success({
    ...ztd,
    details: [...ztd.details, ...heightSentences([...places.values()], ztd.sites.length - places.size)],
    method: [
      ...ztd.method,
      ...(source?.method ?? []),
      `PWV of ${ztd.name} was derived from ZTD with ${describePressure(pressure, source)}: hydrostatic delay by Saastamoinen (1972), mean temperature of the water vapour by Bevis et al. (1992) from the standard atmosphere.`,
    ],
    sites: ztd.sites.filter((site) => places.has(site.id)),
    async rows(siteId, range) {
      const place = places.get(siteId);
      const delays = await ztd.rows(siteId, range);
      if (!delays.ok || !place) return delays;
      const middleMs = (ztd.cellMs(siteId) ?? 0) / 2;
      const timesMs = delays.value.timesMs.map((timeMs) => timeMs + middleMs);
      const found = await pressuresAt(place, pressure, source, { timesMs, range });
      return found.ok ? success(pwvOf(delays.value, found.value, place)) : found;
    },
  });
}

interface Place {
  readonly latitudeDeg: number;
  readonly height: GeoidHeight;
  readonly series: PressureSeries | null;
}

/** The site of a series of pressures, and a factor that reduces it to the height of another. */
interface PressureSeries {
  readonly siteId: string;
  readonly factor: number;
  /** Whether the height of the pressures is unknown, or its reference. */
  readonly isHeightUnsure: boolean;
}

/** @param lost number of sites left out */
function heightSentences(places: readonly Place[], lost: number): string[] {
  const countOf = (isMeant: (place: Place) => boolean): number => places.filter(isMeant).length;
  const converted = countOf(({ height }) => height.by === "converted");
  const assumed = countOf(({ height }) => height.by === "assumed");
  const unsure = countOf(({ series }) => series?.isHeightUnsure === true);
  const sentences: readonly (readonly [n: number, sentence: string])[] = [
    [lost, "left out: without a pressure, or without a height above the geoid"],
    [converted, "with a height above the ellipsoid, converted with the geoid undulation of a station within 20 km"],
    [assumed, "with a height whose reference is unknown: taken as above the geoid. 10 m change PWV by up to 0.5 mm"],
    [
      unsure,
      "whose pressure has a height that is unknown, or of unknown reference: reduced without a conversion, or not at all. 10 m change PWV by up to 0.5 mm",
    ],
  ];
  return sentences.flatMap(([n, sentence]) => (n === 0 ? [] : [`${many(n, "site")} ${sentence}`]));
}

/** For sites without a position: at 45° the latitude term of gravity is zero. */
const MIDDLE_LATITUDE_DEG = 45;

function placesOf(
  sites: readonly Site[],
  pressures: Source | null,
  undulation: Undulation,
): ReadonlyMap<string, Place> {
  const series = pressures && seriesOf(sites, pressures, undulation);
  return new Map(
    sites.flatMap((site): (readonly [string, Place])[] => {
      const height = geoidHeight(site.position, undulation);
      const own = series?.get(site.id) ?? null;
      if (height === null || (series && own === null)) return [];
      return [[site.id, { latitudeDeg: site.position?.latitudeDeg ?? MIDDLE_LATITUDE_DEG, height, series: own }]];
    }),
  );
}

function seriesOf(sites: readonly Site[], source: Source, undulation: Undulation): ReadonlyMap<string, PressureSeries> {
  const [only, ...others] = source.sites;
  // A single series without a position applies to every site.
  if (only && others.length === 0 && only.position === null)
    return new Map(sites.map((site) => [site.id, { siteId: only.id, factor: 1, isHeightUnsure: true }]));
  // A grid is not reduced, which its method says.
  const isGrid = source.method.length > 0;
  const options = { withinKm: WITHIN_KM, chosen: NO_CHOSEN_MATCHES, undulation };
  return new Map(
    matchSites(sites, source.sites, options).map(({ a, b, heightDifference, isSameReference }) => {
      const height = geoidHeight(a.position, undulation)?.height ?? null;
      const factor = height && heightDifference !== null ? reduction(height, heightDifference) : 1;
      return [a.id, { siteId: b.id, factor, isHeightUnsure: !isSameReference && !isGrid }];
    }),
  );
}

/** Pressure of the standard atmosphere at a height, as a share of that so far below. */
function reduction(height: Height<"geoid">, differenceM: number): number {
  return standardPressureHpa(height) / standardPressureHpa({ ...height, metres: height.metres - differenceM });
}

async function pressuresAt(
  { height, series }: Place,
  pressure: Pressure,
  source: Source | null,
  { timesMs, range: { startMs, endMs } }: { readonly timesMs: Float64Array; readonly range: TimeRange },
): Promise<Result<Float64Array, AppFault>> {
  if (pressure.kind === "value") return success(new Float64Array(timesMs.length).fill(pressure.hPa));
  if (source === null || series === null)
    return success(new Float64Array(timesMs.length).fill(standardPressureHpa(height.height)));
  const reachMs = MAX_GAP_MS + DAY_MS;
  const around = { startMs: startMs - reachMs, endMs: endMs + reachMs };
  const rows = await source.rows(series.siteId, around);
  if (!rows.ok) return rows;
  // Means of pressure, as those of delays, are taken as values at the middle of their interval.
  const middleMs = (source.cellMs(series.siteId) ?? 0) / 2;
  const pressures = { ...rows.value, timesMs: rows.value.timesMs.map((timeMs) => timeMs + middleMs) };
  return success(interpolate(pressures, timesMs, MAX_GAP_MS).map((hPa) => hPa * series.factor));
}

function pwvOf({ timesMs, values }: ValueRows, pressuresHpa: Float64Array, place: Place): ValueRows {
  const {
    latitudeDeg,
    height: { height },
  } = place;
  const perDelay = waterPerDelay(meanTemperatureK(standardTemperatureK(height)));
  const dryPerHpa = hydrostaticDelayMm({ value: 1, sigma: 0 }, latitudeDeg, height).value;
  return withValues(
    timesMs,
    values.map((ztd, i) => perDelay * (ztd - dryPerHpa * (pressuresHpa[i] ?? Number.NaN))),
  );
}

function describePressure(pressure: Pressure, source: Source | null): string {
  switch (pressure.kind) {
    case "standard":
      return "the pressure of the standard atmosphere at the height of each site";
    case "value":
      return `a pressure of ${pressure.hPa} hPa`;
    case "series":
      // A grid has no heights.
      if (source && source.method.length > 0)
        return `the pressure of ${pressure.name} at each site, interpolated linearly across up to 6 h and not reduced in height`;
      return `the pressure of the same or the nearest site of ${pressure.name} within ${WITHIN_KM} km, interpolated linearly across up to 6 h and reduced to the height of each site with the standard atmosphere`;
  }
}
