/** Which of some blocks of rows hold a page, and how many rows of the first of them come before it. */
export interface PagePlace {
  readonly from: number;
  /** Behind the last block. */
  readonly to: number;
  readonly skip: number;
}

/** @param counts rows in each block, in order */
export function placePage(counts: readonly number[], offset: number, limit: number): PagePlace {
  let before = 0;
  let from = 0;
  while (from < counts.length && before + counts[from]! <= offset) before += counts[from++]!;
  let to = from;
  for (let held = before; to < counts.length && held < offset + limit; to++) held += counts[to]!;
  return { from, to, skip: offset - before };
}
