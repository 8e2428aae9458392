import { tmpdir } from "node:os";
import { join } from "node:path";
import { resolveTarget } from "#formats/target.ts";
import type { MoveNotes } from "../storage/moveNotes.ts";
import type { OwnFiles } from "../storage/ownFiles.ts";

/** Writes something to a path, so that what a kill leaves of it is found by whatever runs next; never over our own files. */
export type NotedWriter = <T>(path: string, write: () => Promise<T>) => Promise<T>;

export function createNotedWriter(
  notes: Pick<MoveNotes, "begin" | "end">,
  ownFiles: Pick<OwnFiles, "demandForeign">,
): NotedWriter {
  return async (path, write) => {
    await ownFiles.demandForeign(path);
    // Why it cannot be written there, the writer says.
    const target = await resolveTarget(path).catch(() => null);
    if (target === null) return write();
    const note = { from: null, to: target.kind === "file" ? target.path : join(tmpdir(), "stream") };
    attempt(() => notes.begin(note));
    try {
      return await write();
    } finally {
      attempt(() => notes.end(note));
    }
  };
}

/** Where notes cannot be kept, as on a read-only disk, what is left waits for the next export to the same folder. */
function attempt(work: () => void): void {
  try {
    work();
  } catch {
    // See above.
  }
}
