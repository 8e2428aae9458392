import { log } from "../log/index.ts";

/** Closes parts one after the other. One that fails is logged, and the rest is closed all the same. */
export async function closeAll(...parts: readonly (() => unknown)[]): Promise<void> {
  for (const close of parts)
    try {
      await close();
    } catch (thrown) {
      log.error("a part of the program was not closed in order", thrown);
    }
}
