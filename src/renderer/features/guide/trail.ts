import type { PageId } from "./contents.ts";

/** A visited place of the guide. */
export interface Visit {
  /** Distinguishes visits of the same place. */
  readonly id: number;
  readonly page: PageId;
  /** The heading, or null for the top of the page. */
  readonly anchor: string | null;
}

/** The visits in order, and the index of the current one. */
export interface Trail {
  readonly visits: readonly Visit[];
  readonly at: number;
}

const MAX_VISITS = 200;

/** Adds a visit after the current one and drops those ahead of it, like a browser. */
export function follow({ visits, at }: Trail, page: PageId, anchor: string | null): Trail {
  const before = visits.slice(0, at + 1).slice(-MAX_VISITS);
  // The ids of dropped visits are not used again.
  const id = Math.max(...visits.map((visit) => visit.id)) + 1;
  return { visits: [...before, { id, page, anchor }], at: before.length };
}

export function canStep({ visits, at }: Trail, steps: -1 | 1): boolean {
  return visits[at + steps] !== undefined;
}

/** Goes one step back or forward, if possible. */
export function step(trail: Trail, steps: -1 | 1): Trail {
  return canStep(trail, steps) ? { ...trail, at: trail.at + steps } : trail;
}
