import type { Column, ScalarColumn, TextColumn } from "#shared/series/rows.ts";

/** Gathers one column interval by interval; the last interval of what was added stays open. */
export interface Accumulator<C extends Column> {
  /**
   * @param column undefined where the block does not have the variable
   * @param starts index of the first row of each interval
   * @param to index after the last row
   * @param goesOn whether the first interval is the one that is open
   */
  add(column: Column | undefined, starts: readonly number[], to: number, goesOn: boolean): void;
  /** Closes what is open. */
  close(): void;
  /** The closed intervals since the last call. */
  take(): C;
}

/** Mean of the values there are, NaN where there is none; the sum runs from the first to the last. */
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
    add(column, starts, to, goesOn) {
      const scalar = column?.kind === "scalar" ? column : null;
      for (let s = 0; s < starts.length; s++) {
        if (s > 0 || !goesOn) close();
        isOpen = true;
        const end = starts[s + 1] ?? to;
        if (!scalar || presence.firstPresent(scalar, starts[s]!, end) === null) continue;
        const { values, present } = scalar;
        for (let i = starts[s]!; i < end; i++) {
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

/** The text of the first observation, whatever it is: null stays null. */
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
    add(column, starts, to, goesOn) {
      for (let s = 0; s < starts.length; s++) {
        if (s > 0 || !goesOn) close();
        isOpen = true;
        const at = presence.firstPresent(column, starts[s]!, starts[s + 1] ?? to);
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

/** Whether a variable was part of an answer, per interval: it was where it was in any row. */
function presenceOfIntervals() {
  let closed: number[] = [];
  let isPresent = false;
  let isEverywhere = true;

  return {
    /** Index of the first row that has the variable, null where none has. */
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
