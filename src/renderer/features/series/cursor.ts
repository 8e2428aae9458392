import { create } from "zustand";
import type { CursorPlace } from "#shared/plot/panel.ts";

/** Where the cursor is over the plot; apart from React's tree, since it changes with every move of a hand. */
export const useCursor = create<{ readonly place: CursorPlace | null }>(() => ({ place: null }));
