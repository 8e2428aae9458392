import type { ExportFormat } from "#shared/file/export.ts";
import { whatIsThere } from "../../app/exports/occupied.ts";
import { placeProblem } from "../../app/exports/place.ts";
import { EXIT, Stop, stopFor } from "../exit.ts";

/**
 * Makes sure that files can be written under these names, before any work is done.
 *
 * @param isForced what is there already may be replaced
 * @throws Stop
 */
export async function refuseOccupied(paths: readonly string[], format: ExportFormat, isForced: boolean): Promise<void> {
  for (const path of paths) {
    const problem = await placeProblem(path, format);
    if (problem) throw stopFor(problem);
    const [there] = isForced ? [] : await whatIsThere(path);
    if (there !== undefined) {
      const sentence = `${there} is there already, and is not replaced without --force. Nothing was written.`;
      throw new Stop(EXIT.disk, sentence);
    }
  }
}
