import { messageOf } from "#shared/thrown.ts";
import { markDamaged } from "../maintenance/damage.ts";
import { StoreError, toStoreError } from "../errors.ts";

/** Does work on a file, and turns whatever it throws into a `StoreError`. */
export type Guard = <T>(work: () => T) => T;

/** Remembers damage for the next opening, too. @param onDamage told once */
export function guard(path: string, onDamage: (message: string) => void): Guard {
  let isTold = false;
  return (work) => {
    try {
      return work();
    } catch (thrown) {
      const error = toStoreError(path, thrown);
      if (error.kind !== "corrupt") throw error;
      markDamaged(path, String(thrown));
      const detail = messageOf(thrown);
      const said = damagedSentence(path, detail);
      if (!isTold) onDamage(said);
      isTold = true;
      throw new StoreError("corrupt", path, said, thrown);
    }
  };
}

/** @param detail what is wrong with the file itself */
export function damagedSentence(path: string, detail: string): string {
  return (
    `${path}: The cache is damaged (${detail}). Rebuild it under Storage, or with “zenith cache repair”: what is sound in ` +
    "it is kept, and what is lost can be fetched again."
  );
}
