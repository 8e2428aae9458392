import { create } from "zustand";
import type { CursorPlace } from "#shared/plot/panel.ts";

/** Position of the cursor over the plot; in a store, so that only its readers rerender when the pointer moves. */
export const useCursor = create<{ readonly place: CursorPlace | null }>(() => ({ place: null }));
