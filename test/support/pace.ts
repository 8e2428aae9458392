import type { ThreadPace, WorkPace } from "#main/store/types.ts";

/** For work without progress reports and cancellation. */
export const UNSEEN: WorkPace & ThreadPace = {
  onProgress: () => {},
  signal: new AbortController().signal,
  throwIfStopped: () => {},
};

/** The result of checking an undamaged cache. */
export const SOUND = { damages: [], structure: null } as const;
