import { create } from "zustand";
import type { SavedView } from "#shared/views/view.ts";
import { damagedViewsOf, viewsOf } from "../../ask/questions.ts";
import { useAsk } from "../../ask/useAsk.ts";

const NONE: readonly never[] = [];

/** Returns the saved views of all connections, sorted by name; none until they are known. */
export function useViews(): readonly SavedView[] {
  return useAsk(viewsOf, {}, { delayMs: 0 }).value ?? NONE;
}

/** Names of unreadable views that were deleted, also while that can still be undone. */
export const useDeletedViews = create<{ readonly names: readonly string[] }>(() => ({ names: [] }));

/** Returns the names of unreadable views: damaged, or from a newer version. */
export function useDamagedViews(): readonly string[] {
  const names = useAsk(damagedViewsOf, {}, { delayMs: 0 }).value ?? NONE;
  const deleted = useDeletedViews((s) => s.names);
  return names.filter((name) => !deleted.includes(name));
}
