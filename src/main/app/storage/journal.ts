import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { z } from "zod";
import { sweepFolder } from "#formats/leftovers.ts";
import { parseStored } from "#shared/storedJson.ts";
import { isAlive, isCacheFile, removeCopy, removeDatabase } from "../../store/index.ts";
import type { UserStore } from "../../store/user/types.ts";
import { tmpdir } from "node:os";
import { resolveTarget } from "#formats/target.ts";
import type { OwnFiles } from "./ownFiles.ts";

/** A cache that is being moved, or a file that is being written before it gets its final name. */
interface MoveEntry {
  /** Absolute path; the same as `to` for a new cache, null for an export or a session file. */
  readonly from: string | null;
  /** Absolute path. */
  readonly to: string;
}

/**
 * Journal of moves and writes in `user.db`, so that leftovers of a killed process are found again. Every function throws
 * `StoreError`.
 */
export interface MoveJournal {
  begin(entry: MoveEntry): void;
  /** Removes an entry without leftovers. */
  end(entry: MoveEntry): void;
  /** Leaves the leftovers of an entry to a later `tidy`. */
  leave(entry: MoveEntry): void;
  /** Deletes the leftovers of unfinished entries that no process is working on. */
  tidy(): void;
}

const SETTING = "moves";
const entriesSchema = z.array(z.object({ from: z.string().nullable(), to: z.string(), pid: z.int().optional() }));
/** An entry with the process that works on it. */
type StoredEntry = z.output<typeof entriesSchema>[number];

const isOther = (a: MoveEntry) => (b: MoveEntry) => a.from !== b.from || a.to !== b.to;

const isOfOtherProcess = ({ pid }: StoredEntry): boolean => pid !== undefined && pid !== process.pid && isAlive(pid);

export function createMoveJournal(
  users: Pick<UserStore, "setting" | "putSetting" | "connections">,
  dataFolder: string,
): MoveJournal {
  const read = (): StoredEntry[] => parseStored(entriesSchema, users.setting(SETTING)) ?? [];
  const write = (all: readonly StoredEntry[]): void =>
    users.putSetting(SETTING, all.length === 0 ? null : JSON.stringify(all));
  // Entries of this process must not be cleaned.
  let active: readonly MoveEntry[] = [];
  const leave = (entry: MoveEntry): void => void (active = active.filter(isOther(entry)));
  const isOurs = (entry: StoredEntry): boolean => active.some((own) => !isOther(own)(entry));
  return {
    begin(entry) {
      active = [...active, entry];
      write([...read().filter(isOther(entry)), { ...entry, pid: process.pid }]);
    },
    end(entry) {
      leave(entry);
      write(read().filter(isOther(entry)));
    },
    leave,
    tidy() {
      const all = read();
      if (all.length === 0) return;
      const inUse = new Set(users.connections().map((c) => resolve(dataFolder, c.cacheFile)));
      const clean = ({ from, to }: StoredEntry): boolean => {
        if (from === null) {
          sweepFolder(dirname(to));
          return removeCopy(to);
        }
        // Before the switch `to` is the copy, after it `from` is.
        const stale = inUse.has(to) ? from : to;
        return (
          removeCopy(to) && (inUse.has(stale) || !existsSync(stale) || !isCacheFile(stale) || removeDatabase(stale))
        );
      };
      write(all.filter((entry) => isOurs(entry) || isOfOtherProcess(entry) || !clean(entry)));
    },
  };
}

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
