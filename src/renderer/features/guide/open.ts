import { create } from "zustand";
import { useConnection } from "../../stores/connection.ts";
import { useWorkspace } from "../../stores/workspace.ts";
import { isPageId, type PageId } from "./pages.ts";

/** A visited place of the guide. */
export interface Visit {
  /** Distinguishes visits of the same place. */
  readonly id: number;
  readonly page: PageId;
  /** The heading, or null for the top of the page. */
  readonly anchor: string | null;
}

/** The current visit, the visits before it and those after it, in order. */
interface Trail {
  readonly before: readonly Visit[];
  readonly visit: Visit;
  readonly after: readonly Visit[];
}

const MAX_VISITS = 200;

/** Adds a visit after the current one and drops those ahead of it, like a browser. */
export function follow({ before, visit, after }: Trail, page: PageId, anchor: string | null): Trail {
  // The ids of dropped visits are not used again.
  const id = Math.max(visit.id, ...before.map((other) => other.id), ...after.map((other) => other.id)) + 1;
  return { before: [...before, visit].slice(-MAX_VISITS), visit: { id, page, anchor }, after: [] };
}

export function canStep({ before, after }: Trail, steps: -1 | 1): boolean {
  return (steps < 0 ? before : after).length > 0;
}

/** Goes one step back or forward, if possible. */
export function step(trail: Trail, steps: -1 | 1): Trail {
  const { before, visit, after } = trail;
  const next = steps < 0 ? before.at(-1) : after[0];
  if (next === undefined) return trail;
  return steps < 0
    ? { before: before.slice(0, -1), visit: next, after: [visit, ...after] }
    : { before: [...before, visit], visit: next, after: after.slice(1) };
}

interface Guide {
  readonly isOpen: boolean;
  readonly trail: Trail;
}

/** Whether the guide is open, and its history, which is kept until the window closes. */
export const useGuide = create<Guide>(() => ({
  isOpen: false,
  trail: { before: [], visit: { id: 1, page: "first-minute", anchor: null }, after: [] },
}));

/** Opens the guide at a page and heading; without a page, where it was left. */
export function openGuide(page?: PageId, anchor: string | null = null): void {
  useGuide.setState(({ trail }) => ({ isOpen: true, trail: page ? follow(trail, page, anchor) : trail }));
}

export function closeGuide(): void {
  useGuide.setState({ isOpen: false });
}

/** Closes the guide, or opens it at a page; null opens it where it was left. */
export function toggleGuide(page: PageId | null): void {
  if (useGuide.getState().isOpen) closeGuide();
  else openGuide(page ?? undefined);
}

/** Returns the page about the current view; null on the first screen. */
export function pageOfWindow(): PageId | null {
  if (useConnection.getState().current === null) return null;
  const { section, view } = useWorkspace.getState();
  if (section === "storage") return "storage";
  if (section === "schedules") return "schedules";
  if (section === "settings") return "keyboard";
  return isPageId(view) ? view : "series";
}
