import type { CacheFindings } from "#shared/series/cache.ts";
import { messageOf } from "#shared/fault.ts";
import { isBroken, StoreError, toStoreError } from "../errors.ts";
import { markDamaged } from "../maintenance/quarantine.ts";
import { runInThread } from "../thread/thread.ts";
import type { WorkPace } from "../types.ts";

/** Runs work on a file and converts whatever it throws into a `StoreError`. */
export type Guard = <T>(work: () => T) => T;

/** Creates a guard that also marks a damaged file for its next opening. @param onDamage called once */
export function createGuard(path: string, onDamage: (message: string) => void): Guard {
  let isReported = false;
  return (work) => {
    try {
      return work();
    } catch (thrown) {
      const error = toStoreError(path, thrown);
      if (error.kind !== "corrupt") throw error;
      markDamaged(path, String(thrown));
      const detail = messageOf(thrown);
      const sentence = damagedSentence(path, detail);
      if (!isReported) onDamage(sentence);
      isReported = true;
      throw new StoreError("corrupt", path, sentence, thrown);
    }
  };
}

/** Returns the message for a damaged cache. @param detail what is wrong with the file itself */
function damagedSentence(path: string, detail: string): string {
  return (
    `${path}: The cache is damaged (${detail}). Rebuild it under Storage, or with “zenith cache repair”: what is sound in ` +
    "it is kept, and what is lost can be fetched again."
  );
}

/**
 * Checks or repairs an open cache in a thread. A file with a broken structure is marked for quarantine at its next
 * opening.
 *
 * @throws StoreError, and the reason of the signal when it aborts
 */
export async function inspectFile(
  work: "check" | "repair",
  path: string,
  pace: WorkPace,
  onDamage: (message: string) => void,
): Promise<CacheFindings> {
  let findings: CacheFindings;
  try {
    findings = await runInThread({ work, path }, pace);
  } catch (thrown) {
    pace.signal.throwIfAborted();
    if (!isBroken(thrown)) throw toStoreError(path, thrown);
    findings = { damages: [], structure: messageOf(thrown) };
  }
  if (findings.structure !== null) {
    markDamaged(path, findings.structure);
    onDamage(damagedSentence(path, findings.structure));
  }
  return findings;
}

/** Adds another signal that ends the work. */
export function paceUntil(end: AbortSignal, { onProgress, signal }: WorkPace): WorkPace {
  return { onProgress, signal: AbortSignal.any([signal, end]) };
}
