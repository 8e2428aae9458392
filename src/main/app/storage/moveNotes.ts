import { existsSync } from "node:fs";
import { parseStored } from "#shared/storedJson.ts";
import { dirname, resolve } from "node:path";
import { z } from "zod";
import { sweepFolder } from "#formats/temporary.ts";
import { isAlive, isCacheFile, removeCopy, removeDatabase } from "../../store/index.ts";
import type { UserStore } from "../../store/types.ts";

/** A cache on its way from one file to another, or an export or a session on its way to its final name. */
export interface MoveNote {
  /** Whole path; the same as `to` for a cache that is made anew, null for a file that is made for others. */
  readonly from: string | null;
  /** Whole path. */
  readonly to: string;
}

/**
 * What is being moved or written, kept in `user.db`: a program that was killed in the middle leaves a file beside the
 * final one that nobody would find again. Every function throws `StoreError`.
 */
export interface MoveNotes {
  begin(note: MoveNote): void;
  /** Nothing of it is left to clean. */
  end(note: MoveNote): void;
  /** What is left of it is cleaned by a later `tidy`. */
  leave(note: MoveNote): void;
  /** Deletes what is left of everything that did not come to its end, and that no program is at now. */
  tidy(): void;
}

const SETTING = "moves";
const notes = z.array(z.object({ from: z.string().nullable(), to: z.string(), pid: z.int().optional() }));
/** With the process that is at it. */
type KeptNote = z.output<typeof notes>[number];

const isOther = (a: MoveNote) => (b: MoveNote) => a.from !== b.from || a.to !== b.to;

const isElsewhere = ({ pid }: KeptNote): boolean => pid !== undefined && pid !== process.pid && isAlive(pid);

export function createMoveNotes(
  users: Pick<UserStore, "setting" | "putSetting" | "connections">,
  dataFolder: string,
): MoveNotes {
  const read = (): KeptNote[] => parseStored(notes, users.setting(SETTING)) ?? [];
  const write = (all: readonly KeptNote[]): void =>
    users.putSetting(SETTING, all.length === 0 ? null : JSON.stringify(all));
  // What this very program is about is not to be cleaned.
  let underWay: readonly MoveNote[] = [];
  const leave = (note: MoveNote): void => void (underWay = underWay.filter(isOther(note)));
  const isOurs = (note: KeptNote): boolean => underWay.some((own) => !isOther(own)(note));
  return {
    begin(note) {
      underWay = [...underWay, note];
      write([...read().filter(isOther(note)), { ...note, pid: process.pid }]);
    },
    end(note) {
      leave(note);
      write(read().filter(isOther(note)));
    },
    leave,
    tidy() {
      const all = read();
      if (all.length === 0) return;
      const inUse = new Set(users.connections().map((c) => resolve(dataFolder, c.cacheFile)));
      const isClean = ({ from, to }: KeptNote): boolean => {
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
      write(all.filter((note) => isOurs(note) || isElsewhere(note) || !isClean(note)));
    },
  };
}
