// What becomes of several rows of one time in one answer: a field has the last value that came for it. A copy without a
// value takes none away, and copies that agree are no conflict.

/** Counts values that differ from one that came before for the same time. */
export interface Conflicts {
  count: number;
}

/** The value of one field at one time, whose rows are `order[from]` to `order[to]` (exclusive) as they arrived. */
export function mergedNumber(
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

/** A satellite field: its texts as they arrived, and what they became. */
interface MergedTexts {
  readonly values: readonly (string | null)[];
  readonly merged: (string | null)[];
}

/**
 * The same for all satellite fields at once, added to their `merged`. Their lists have the order of `prn` in the same row:
 * beside another `prn`, the values of an earlier copy would be those of other satellites, and go with it.
 *
 * @param prn the texts of `prn`, where it is one of the fields
 */
export function mergeTexts(
  fields: readonly MergedTexts[],
  prn: readonly (string | null)[] | undefined,
  order: Int32Array,
  from: number,
  to: number,
  conflicts: Conflicts,
): void {
  // Copies before this one are of other satellites.
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
