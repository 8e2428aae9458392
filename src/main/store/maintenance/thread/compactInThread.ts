import { copiedShare, denseCopyOf } from "../compact.ts";
import { sizeOf } from "../../database/statistics.ts";
import type { WorkPace } from "../../types.ts";
import { inThread } from "./thread.ts";

/** Between two looks at how large the dense copy is. */
const LOOK_EVERY_MS = 100;

/** Compacts, and looks at the size of the dense copy while the thread cannot tell how far it is. */
export async function compactInThread(
  path: string,
  usedBytes: number,
  { onProgress, signal }: WorkPace,
): Promise<void> {
  let furthest = 0;
  const tell = (share: number): void => {
    furthest = Math.max(furthest, share);
    onProgress(furthest);
  };
  const look = setInterval(() => tell(copiedShare(sizeOf(denseCopyOf(path)), usedBytes)), LOOK_EVERY_MS);
  try {
    await inThread("compact", path, { onProgress: tell, signal });
  } finally {
    clearInterval(look);
  }
}
