// How several rows of one time in one response become one: each field has the last value that arrived. A missing value
// replaces none, and equal values are no conflict.

/** Counts values that differ from an earlier value of the same time. */
export interface Conflicts {
  count: number;
}

/** Returns the value of one field at one time, whose rows are `order[from]` to `order[to]` (exclusive). */
export function mergeNumbers(
  values: Float64Array,
  order: Int32Array,
  from: number,
  to: number,
  conflicts: Conflicts,
): number {
  let last = Number.NaN;
  for (let i = from; i < to; i++) {
    const value = values[order[i]!]!;
    if (Number.isNaN(value)) continue;
    if (!Number.isNaN(last) && value !== last) conflicts.count++;
    last = value;
  }
  return last;
}

/** A satellite field: its texts in order of arrival, and the merged texts. */
interface MergedTexts {
  readonly values: readonly (string | null)[];
  readonly merged: (string | null)[];
}

/**
 * Merges all satellite fields of one time and appends the results to their `merged`. The lists in the fields have the
 * order of `prn` in the same row, so a different `prn` also replaces the values of earlier rows: they belong to other
 * satellites.
 *
 * @param prn texts of the field `prn`, if present
 */
export function mergeTexts(
  fields: readonly MergedTexts[],
  prn: readonly (string | null)[] | undefined,
  order: Int32Array,
  from: number,
  to: number,
  conflicts: Conflicts,
): void {
  // Earlier rows are of other satellites.
  let first = from;
  if (prn) {
    let last: string | null = null;
    for (let i = from; i < to; i++) {
      const satellites = prn[order[i]!];
      if (!satellites || satellites === last) continue;
      if (last !== null) {
        conflicts.count++;
        first = i;
      }
      last = satellites;
    }
  }
  for (const { values, merged } of fields) {
    let text = values[order[first]!] ?? null;
    for (let i = first + 1; i < to; i++) {
      const next = values[order[i]!];
      if (!next || next === text) continue;
      if (text) conflicts.count++;
      text = next;
    }
    merged.push(text);
  }
}
