import type { PageId } from "./contents.ts";

/** A place in the guide that was gone to. */
export interface Visit {
  /** Tells one visit of the same place from another. */
  readonly id: number;
  readonly page: PageId;
  /** The heading, or null for the top of the page. */
  readonly anchor: string | null;
}

/** The places in the order in which they were gone to, and which of them is shown. */
export interface Trail {
  readonly visits: readonly Visit[];
  readonly at: number;
}

const MOST = 200;

/** Goes to a place; what lay ahead of the one that is shown is forgotten, as in a browser. */
export function follow({ visits, at }: Trail, page: PageId, anchor: string | null): Trail {
  const before = visits.slice(0, at + 1).slice(-MOST);
  // Also not that of one which is forgotten now.
  const id = Math.max(...visits.map((visit) => visit.id)) + 1;
  return { visits: [...before, { id, page, anchor }], at: before.length };
}

export function canStep({ visits, at }: Trail, steps: -1 | 1): boolean {
  return visits[at + steps] !== undefined;
}

/** Back or forward, as far as there is anything. */
export function step(trail: Trail, steps: -1 | 1): Trail {
  return canStep(trail, steps) ? { ...trail, at: trail.at + steps } : trail;
}
