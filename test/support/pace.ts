import type { WorkPace } from "#main/store/types.ts";

/** For work without progress reports and cancellation. */
export const UNSEEN: WorkPace = { onProgress: () => {}, signal: new AbortController().signal };

/** The result of checking an undamaged cache. */
export const SOUND = { damages: [], structure: null } as const;
