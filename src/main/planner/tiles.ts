import { VARIABLE_NAMES, withImpliedVariables, type Variable } from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { rangeSet, type RangeSet } from "#shared/time/rangeset.ts";

/** A stretch of time in which a station lacks the same variables throughout. */
export interface Tile {
  readonly range: TimeRange;
  readonly variables: readonly Variable[];
}

/**
 * Cuts the time line of a station where the set of lacking variables changes. The tiles neither overlap nor touch with
 * the same variables, so that no point is asked twice: the size rule counts points, however many variables they have.
 */
export function tiles(missing: Partial<Record<Variable, RangeSet>>): Tile[] {
  const toggles: { atMs: number; bit: number }[] = [];
  for (const [name, set] of withPrn(missing)) {
    const bit = 1 << VARIABLE_NAMES.indexOf(name);
    for (const range of set) toggles.push({ atMs: range.startMs, bit }, { atMs: range.endMs, bit });
  }
  toggles.sort((a, b) => a.atMs - b.atMs);
  const found: Tile[] = [];
  let mask = 0;
  toggles.forEach(({ atMs, bit }, i) => {
    mask ^= bit;
    const next = toggles[i + 1];
    if (mask !== 0 && next && next.atMs > atMs) {
      found.push({ range: { startMs: atMs, endMs: next.atMs }, variables: variablesOf(mask) });
    }
  });
  return found;
}

/** The service sends `prn` with every satellite variable, and their values mean nothing without it: it is asked too. */
export function withPrn(missing: Partial<Record<Variable, RangeSet>>): [Variable, RangeSet][] {
  const asked = VARIABLE_NAMES.filter((name) => (missing[name]?.length ?? 0) > 0);
  return withImpliedVariables(asked).map((name) => [
    name,
    name === "prn"
      ? rangeSet((["prn", "el", "az", "snr"] as const).flatMap((v) => missing[v] ?? []))
      : (missing[name] ?? []),
  ]);
}

function variablesOf(mask: number): Variable[] {
  return VARIABLE_NAMES.filter((_, i) => (mask & (1 << i)) !== 0);
}
