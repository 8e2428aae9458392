import type { ColumnRole } from "#shared/file/columns.ts";

const SITE: readonly (readonly [ColumnRole, RegExp])[] = [
  ["station", /^(station(_?(id|name|code))?|site(_?(id|name|code))?|stat|stn|sta|id|code|marker(_name)?|name)$/],
  ["latitude", /^(lat|latitude)(_deg)?$/],
  ["longitude", /^(lon|long|longitude)(_deg)?$/],
  ["height", /^(height|hgt|h|alt|altitude|elev|elevation|ellipsoidal_height|h_ell)(_m)?$/],
];

/** Finds the columns of station and position by their names. @param taken columns with another role */
export function siteRolesByName(heads: readonly string[], taken: Iterable<number> = []): Map<ColumnRole, number> {
  const others = new Set(taken);
  const names = heads.map((head) => plainName(head));
  const places = SITE.map(([role, pattern]) => {
    const at = names.findIndex((name, i) => pattern.test(name) && !others.has(i));
    return [role, at] as const;
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
