import type { CacheDamage, CacheFindings } from "#shared/series/cache.ts";
import { messageOf } from "#shared/fault.ts";
import { isBroken, StoreError, toStoreError } from "../errors.ts";
import { markDamaged } from "../maintenance/quarantine.ts";
import { runInThread } from "../thread/thread.ts";
import type { Tables } from "../tables/index.ts";
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

/** Checks and repairs an open cache, in a thread. */
interface CacheChecks {
  check(pace: WorkPace): Promise<CacheFindings>;
  repair(pace: WorkPace): Promise<CacheFindings>;
  /**
   * Checks a file that an earlier process did not close, and repairs it if necessary.
   *
   * @param settle called once the file counts as checked
   * @returns a sentence about a broken structure; null if the structure is sound, or the check is incomplete
   */
  afterKill(settle: () => void): Promise<string | null>;
}

/** What the cache does with the results; see `CacheWatch`. */
interface CheckedCache {
  /** @throws StoreError */
  assertWritable(): void;
  onDamage(message: string): void;
  onRepaired(damages: readonly CacheDamage[]): void;
  onCheck(share: number): void;
}

/** @param closing aborted when the cache is closed */
export function createChecks(
  path: string,
  tables: Tables,
  closing: AbortSignal,
  { assertWritable, onDamage, onRepaired, onCheck }: CheckedCache,
): CacheChecks {
  async function run(work: "check" | "repair", pace: WorkPace): Promise<CacheFindings> {
    const own = paceUntil(closing, pace);
    try {
      const findings = await runInThread(work, path, own);
      if (findings?.structure) reportBroken(findings.structure);
      return findings ?? { damages: [], structure: null };
    } catch (thrown) {
      own.signal.throwIfAborted();
      if (!isBroken(thrown)) throw toStoreError(path, thrown);
      const structure = messageOf(thrown);
      reportBroken(structure);
      return { damages: [], structure };
    }
  }

  async function repair(pace: WorkPace): Promise<CacheFindings> {
    assertWritable();
    try {
      return await run("repair", pace);
    } finally {
      tables.readCache.clear();
    }
  }

  /** Marks a file with a broken structure for quarantine at its next opening. */
  function reportBroken(structure: string): void {
    markDamaged(path, structure);
    onDamage(damagedSentence(path, structure));
  }

  return {
    check: (pace) => run("check", pace),
    repair,
    async afterKill(settle) {
      onCheck(0);
      try {
        // The end is reported below, once the file counts as checked.
        const pace: WorkPace = { onProgress: (share) => void (share < 1 && onCheck(share)), signal: closing };
        const { damages, structure } = await run("check", pace);
        if (structure === null && damages.length > 0) {
          const repaired = await repair(pace);
          onRepaired(repaired.damages);
          if (repaired.structure !== null) return damagedSentence(path, repaired.structure);
        }
        if (structure === null) settle();
        return structure === null ? null : damagedSentence(path, structure);
      } catch {
        // An incomplete check is repeated when the file is opened next.
        return null;
      } finally {
        onCheck(1);
      }
    },
  };
}

/** Adds another signal that ends the work. */
export function paceUntil(end: AbortSignal, { onProgress, signal }: WorkPace): WorkPace {
  return { onProgress, signal: AbortSignal.any([signal, end]) };
}
