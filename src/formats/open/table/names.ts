import type { ColumnRole } from "#shared/file/columns.ts";

const SITE: readonly (readonly [ColumnRole, RegExp])[] = [
  ["station", /^(station(_?(id|name|code))?|site(_?(id|name|code))?|stat|stn|sta|id|code|marker(_name)?|name)$/],
  ["latitude", /^(lat|latitude)(_deg)?$/],
  ["longitude", /^(lon|long|longitude)(_deg)?$/],
  [
    "height",
    /^(height|hgt|h|alt|altitude|elev|elevation)(_(above_)?(ell|eli|ellipsoid|wgs_?84|geoid|msl|amsl|sea_level|egm\d+))?(_m)?$|^(ellipsoidal|orthometric|wgs_?84|msl|egm\d+)_(height|altitude|elevation)(_m)?$/,
  ],
];

/** Names of stations that may be the same for two of them. */
const STATION_NAME = /^((station|site|marker)_?)?name$/;
const HEIGHT_REFERENCE = /^height_(vertical_)?reference$/;
const STATION_ID = /^(station|site)(_?(id|code))?$/;

/** Columns that describe a station further; -1 if absent. */
export interface StationTexts {
  readonly name: number;
  readonly heightReference: number;
}

/** @param station the column that distinguishes the stations */
export function stationTexts(heads: readonly string[], station: number): StationTexts {
  const names = heads.map((head) => plainName(head));
  return {
    name: station < 0 ? -1 : names.findIndex((name, i) => i !== station && STATION_NAME.test(name)),
    heightReference: names.findIndex((name) => HEIGHT_REFERENCE.test(name)),
  };
}

/** Finds the columns of station and position by their names. @param taken columns with another role */
export function siteRolesByName(heads: readonly string[], taken: Iterable<number> = []): Map<ColumnRole, number> {
  const others = new Set(taken);
  const names = heads.map((head) => plainName(head));
  const find = (pattern: RegExp): number => names.findIndex((name, i) => pattern.test(name) && !others.has(i));
  const places = SITE.map(([role, pattern]) => {
    const id = role === "station" ? find(STATION_ID) : -1;
    return [role, id < 0 ? find(pattern) : id] as const;
  });
  return new Map(places.filter(([, at]) => at >= 0));
}

export function plainName(head: string): string {
  return head
    .replace(/[([].*$/, "")
    .trim()
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "_")
    .replaceAll(/^_|_$/g, "");
}
