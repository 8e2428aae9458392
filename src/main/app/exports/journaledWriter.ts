import { tmpdir } from "node:os";
import { join } from "node:path";
import { resolveTarget } from "#formats/target.ts";
import type { MoveJournal } from "../storage/moveJournal.ts";
import type { OwnFiles } from "../storage/ownFiles.ts";

/** Writes to a path and journals it, so that the next start removes leftovers of a kill; refuses our own files. */
export type JournaledWriter = <T>(path: string, write: () => Promise<T>) => Promise<T>;

export function createJournaledWriter(
  journal: Pick<MoveJournal, "begin" | "end">,
  ownFiles: Pick<OwnFiles, "assertNotOurs">,
): JournaledWriter {
  return async (path, write) => {
    await ownFiles.assertNotOurs(path);
    // The writer reports why the path cannot be written.
    const target = await resolveTarget(path).catch(() => null);
    if (target === null) return write();
    const entry = { from: null, to: target.kind === "file" ? target.path : join(tmpdir(), "stream") };
    attempt(() => journal.begin(entry));
    try {
      return await write();
    } finally {
      attempt(() => journal.end(entry));
    }
  };
}

/** Without a journal, as on a read-only disk, leftovers remain until the next export to the same folder. */
function attempt(work: () => void): void {
  try {
    work();
  } catch {
    // Best effort, see above.
  }
}
