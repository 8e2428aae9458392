import { checkFile } from "#main/store/maintenance/check.ts";
import { UNSEEN } from "../support/pace.ts";

/** Runs the check without its thread, for tests that check hundreds of small files. */
export function damageOf(path: string): string | null {
  const { damages, structure } = checkFile(path, UNSEEN);
  if (structure !== null) return structure;
  return damages.length === 0 ? null : JSON.stringify(damages);
}
