import { closeSync, openSync, writeSync } from "node:fs";
import { IS_ENDURANCE, tries } from "../support/endurance.ts";
import { many, writeRow } from "../support/reliability.ts";

export const PAGE_BYTES = 8_192;

/** A seeded random generator, so that failures can be reproduced (mulberry32). */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export function overwrite(path: string, at: number, bytes: Uint8Array): void {
  const file = openSync(path, "r+");
  writeSync(file, bytes, 0, bytes.length, at);
  closeSync(file);
}

/**
 * Yields damaged states of a file of pages: what a disk may make of it, each with its row of docs/reliability.md.
 *
 * @param states of the file, the last one being the one that is damaged
 */
export function* damagesOf(states: readonly Buffer[]): Generator<readonly [damage: string, bytes: Buffer]> {
  const last = states.at(-1)!;
  const next = random(7);
  const pages = last.length / PAGE_BYTES;
  const pageOf = (file: Buffer, page: number): Buffer => file.subarray(page * PAGE_BYTES, (page + 1) * PAGE_BYTES);
  const changed = (change: (bytes: Buffer) => void): Buffer => {
    const bytes = Buffer.from(last);
    change(bytes);
    return bytes;
  };
  const older = states.slice(0, -1).map((old) => {
    const shared = Array.from({ length: Math.min(pages, old.length / PAGE_BYTES) }, (_, page) => page);
    return { old, stale: shared.filter((page) => !pageOf(old, page).equals(pageOf(last, page))) };
  });
  for (const { old, stale } of older)
    for (let i = 0; i < stale.length; i += IS_ENDURANCE ? 1 : Math.ceil(stale.length / 2))
      yield ["one stale page", changed((bytes) => pageOf(old, stale[i]!).copy(bytes, stale[i]! * PAGE_BYTES))];
  for (let run = 0; run < tries(3, 2_000); run++) {
    const { old, stale } = older[Math.floor(next() * older.length)]!;
    const picked = Array.from({ length: 2 + Math.floor(next() * 3) }, () => stale[Math.floor(next() * stale.length)]!);
    yield [
      "2 to 4 stale pages",
      changed((bytes) => {
        for (const page of picked) pageOf(old, page).copy(bytes, page * PAGE_BYTES);
      }),
    ];
  }
  for (let run = 0; run < tries(6, 500); run++) {
    // Half of the bits are where the file has content.
    let at = Math.floor(next() * last.length);
    if (run % 2 === 0) while (last[at] === 0) at = (at + 1) % last.length;
    yield ["a flipped bit", changed((bytes) => void (bytes[at]! ^= 1 << Math.floor(next() * 8)))];
  }
  for (let page = 0; page < pages; page += IS_ENDURANCE ? 1 : Math.ceil(pages / 2)) {
    const at = page * PAGE_BYTES;
    yield ["a page of zeros", changed((bytes) => bytes.fill(0, at, at + PAGE_BYTES))];
    yield ["another page in its place", changed((bytes) => pageOf(last, (page + 2) % pages).copy(bytes, at))];
    // A page is cut within, or missing; an empty file is like a new one.
    const end = at + (page % 2 === 0 ? PAGE_BYTES - 100 : 0);
    yield ["a file cut short", Buffer.from(last.subarray(0, end))];
  }
}

/** Counts outcomes of each kind of damage; printed in the endurance run. */
export function createTally(file: string) {
  const counts = new Map<string, Record<string, number>>();
  return {
    add(damage: string, outcome: string): void {
      const own = counts.get(damage) ?? {};
      own[outcome] = (own[outcome] ?? 0) + 1;
      counts.set(damage, own);
    },
    /** The number of an outcome, of all kinds of damage. */
    of: (outcome: string): number => [...counts.values()].reduce((sum, own) => sum + (own[outcome] ?? 0), 0),
    print(): void {
      if (IS_ENDURANCE) console.log(`damaged copies of ${file}`, Object.fromEntries(counts));
    },
    /** Writes the rows of docs/reliability.md in the endurance run. A wrong reading would have ended it. */
    write(outcomes: readonly string[]): void {
      if (!IS_ENDURANCE) return;
      for (const [damage, own] of counts) {
        const tried = Object.values(own).reduce((sum, n) => sum + n, 0);
        writeRow(damage, [tried, ...outcomes.map((outcome) => own[outcome] ?? 0), 0].map(many));
      }
    },
  };
}
