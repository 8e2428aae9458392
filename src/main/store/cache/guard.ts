import { messageOf } from "#shared/thrown.ts";
import { markDamaged } from "../maintenance/quarantine.ts";
import { StoreError, toStoreError } from "../errors.ts";

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
export function damagedSentence(path: string, detail: string): string {
  return (
    `${path}: The cache is damaged (${detail}). Rebuild it under Storage, or with “zenith cache repair”: what is sound in ` +
    "it is kept, and what is lost can be fetched again."
  );
}
