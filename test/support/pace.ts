import type { WorkPace } from "#main/store/types.ts";

/** For work whose progress nobody looks at, and which nobody stops. */
export const UNSEEN: WorkPace = { onProgress: () => {}, signal: new AbortController().signal };

/** What a look at a sound cache finds. */
export const SOUND = { damages: [], structure: null } as const;
