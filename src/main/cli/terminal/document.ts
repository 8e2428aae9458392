import { formatUtcShort } from "#shared/time/utc.ts";

/**
 * A value as `--json` prints it: names in the service's style (`display_name`), moments (`…Ms`) as ISO 8601 texts in
 * UTC under the name without `Ms`, and null for a number that JSON does not have.
 */
export function plain(value: unknown): unknown {
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([name, inner]): [string, unknown] => {
    if (!name.endsWith("Ms") || typeof inner !== "number") return [snake(name.replace(/Ms$/, "")), plain(inner)];
    return [snake(name.slice(0, -2)), formatUtcShort(inner)];
  });
  return Object.fromEntries(entries);
}

function snake(name: string): string {
  return name.replaceAll(/[A-Z]/g, (c) => `_${c.toLowerCase()}`);
}
