import type { Column, ScalarColumn, TextColumn } from "#shared/series/rows.ts";

/** Accumulates one column interval by interval; the last interval stays open. */
export interface Accumulator<C extends Column> {
  /**
   * @param column undefined if the block does not have the variable
   * @param starts index of the first row of each interval
   * @param to index after the last row
   * @param continues whether the first interval continues the open one
   */
  add(column: Column | undefined, starts: readonly number[], to: number, continues: boolean): void;
  /** Closes the open interval. */
  close(): void;
  /** Returns the intervals closed since the last call. */
  take(): C;
}

/** Returns the mean of the existing values, summed in order of time; NaN without values. */
export function meanOfInterval(): Accumulator<ScalarColumn> {
  let closed: number[] = [];
  const presence = presenceOfIntervals();
  let isOpen = false;
  let sum = 0;
  let count = 0;

  function close(): void {
    if (isOpen) closed.push(count === 0 ? Number.NaN : sum / count);
    presence.close(isOpen);
    isOpen = false;
    sum = 0;
    count = 0;
  }

  return {
    add(column, starts, to, continues) {
      const scalar = column?.kind === "scalar" ? column : null;
      for (const [s, start] of starts.entries()) {
        if (s > 0 || !continues) close();
        isOpen = true;
        const end = starts[s + 1] ?? to;
        if (!scalar || presence.firstPresent(scalar, start, end) === null) continue;
        const { values, present } = scalar;
        for (let i = start; i < end; i++) {
          const value = values[i]!;
          if (Number.isNaN(value) || (present !== null && present[i] === 0)) continue;
          sum += value;
          count++;
        }
      }
    },
    close,
    take() {
      const values = Float64Array.from(closed);
      closed = [];
      return { kind: "scalar", values, present: presence.take() };
    },
  };
}

/** The text of the first observation, even if it is null. */
export function firstOfInterval(): Accumulator<TextColumn> {
  let closed: (string | null)[] = [];
  const presence = presenceOfIntervals();
  let isOpen = false;
  let isFound = false;
  let first: string | null = null;

  function close(): void {
    if (isOpen) closed.push(first);
    presence.close(isOpen);
    isOpen = false;
    isFound = false;
    first = null;
  }

  return {
    add(column, starts, to, continues) {
      for (const [s, start] of starts.entries()) {
        if (s > 0 || !continues) close();
        isOpen = true;
        const at = presence.firstPresent(column, start, starts[s + 1] ?? to);
        if (isFound || at === null || column?.kind !== "text") continue;
        first = column.values[at] ?? null;
        isFound = true;
      }
    },
    close,
    take() {
      const values = closed;
      closed = [];
      return { kind: "text", values, present: presence.take() };
    },
  };
}

/** Whether a variable was requested, per interval: it was if any row has it. */
function presenceOfIntervals() {
  let closed: number[] = [];
  let isPresent = false;
  let isEverywhere = true;

  return {
    /** Index of the first row with the variable; null if none has it. */
    firstPresent(column: Column | undefined, from: number, to: number): number | null {
      if (!column) return null;
      const at = column.present === null ? 0 : column.present.subarray(from, to).indexOf(1);
      if (at < 0) return null;
      isPresent = true;
      return from + at;
    },
    close(isOpen: boolean) {
      if (isOpen) {
        closed.push(isPresent ? 1 : 0);
        if (!isPresent) isEverywhere = false;
      }
      isPresent = false;
    },
    take(): Uint8Array | null {
      const present = isEverywhere ? null : Uint8Array.from(closed);
      closed = [];
      isEverywhere = true;
      return present;
    },
  };
}
