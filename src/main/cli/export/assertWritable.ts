import type { ExportFormat } from "#shared/file/export.ts";
import { existingOutputs } from "../../app/exports/existingOutputs.ts";
import { placeProblem } from "../../app/exports/place.ts";
import { EXIT, Stop, stopFor } from "../exit.ts";

/**
 * Checks that files can be written to these paths, before any work is done.
 *
 * @param isForced whether existing files may be replaced
 * @throws Stop
 */
export async function assertWritable(paths: readonly string[], format: ExportFormat, isForced: boolean): Promise<void> {
  for (const path of paths) {
    const problem = await placeProblem(path, format);
    if (problem) throw stopFor(problem);
    const [existing] = isForced ? [] : await existingOutputs(path);
    if (existing !== undefined) {
      const sentence = `${existing} exists already, and is not replaced without --force. Nothing was written.`;
      throw new Stop(EXIT.disk, sentence);
    }
  }
}
