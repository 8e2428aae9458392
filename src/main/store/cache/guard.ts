import { messageOf } from "#shared/fault.ts";
import { StoreError, toStoreError } from "../errors.ts";
import { markDamaged } from "../maintenance/quarantine.ts";

/** Converts errors of a cache file. @param onDamage called once, with a sentence */
export function createGuard(path: string, onDamage: (message: string) => void) {
  let isReported = false;
  /** Marks a file that is damaged for quarantine at its next opening. @param damage its message is shown */
  const report = (damage: unknown): StoreError => {
    markDamaged(path, String(damage));
    const sentence =
      `${path}: The cache is damaged (${messageOf(damage)}). Rebuild it under Storage, or with “zenith cache repair”. ` +
      "Intact data are kept; lost data can be downloaded again.";
    if (!isReported) onDamage(sentence);
    isReported = true;
    return new StoreError("corrupt", path, sentence, damage);
  };
  return {
    report,
    /** Runs work on the file. @throws StoreError for whatever it throws; damage is reported */
    run<T>(work: () => T): T {
      try {
        return work();
      } catch (thrown) {
        const error = toStoreError(path, thrown);
        throw error.kind === "corrupt" ? report(thrown) : error;
      }
    },
  };
}
