import { checkFile } from "#main/store/check.ts";
import { DamagedData } from "#main/store/errors.ts";

/** What the check finds, without its thread: for tests that check hundreds of small files. */
export function damageOf(path: string): string | null {
  try {
    checkFile(path, { onProgress: () => {}, demandGoOn: () => {} });
    return null;
  } catch (thrown) {
    if (thrown instanceof DamagedData) return thrown.message;
    throw thrown;
  }
}
