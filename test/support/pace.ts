import type { WorkPace } from "#main/store/types.ts";

/** For work whose progress nobody looks at, and which nobody stops. */
export const UNSEEN: WorkPace = { onProgress: () => {}, signal: new AbortController().signal };
