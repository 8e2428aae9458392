import { create } from "zustand";
import { type PageId, isPageId } from "./contents.ts";
import { follow, type Trail } from "./trail.ts";
import { useConnection } from "../../stores/connection.ts";
import { useWorkspace } from "../../stores/workspace.ts";

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
  const { room, view } = useWorkspace.getState();
  if (room === "storage") return "storage";
  if (room === "schedules") return "schedules";
  if (room === "settings") return "keyboard";
  return isPageId(view) ? view : "series";
}
