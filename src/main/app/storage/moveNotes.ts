import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { z } from "zod";
import { isCacheFile, removeCopy, removeDatabase } from "../../store/index.ts";
import type { UserStore } from "../../store/types.ts";

/** A cache on its way from one file to another; one that is made anew has only the one place. */
export interface MoveNote {
  readonly connectionId: string;
  /** Whole paths. */
  readonly from: string;
  readonly to: string;
}

/**
 * Which caches are being moved, kept in `user.db`: a program that was killed in the middle leaves a copy of the cache
 * that nobody would find again. Every function throws `StoreError`.
 */
export interface MoveNotes {
  begin(note: MoveNote): void;
  /** Nothing of it is left to clean. */
  end(note: MoveNote): void;
  /** What is left of it is cleaned by a later `tidy`. */
  leave(note: MoveNote): void;
  /** Deletes whichever file is not in use of every move that did not come to its end. Only where no other program moves. */
  tidy(): void;
}

const SETTING = "moves";
const notes = z.array(z.object({ connectionId: z.string(), from: z.string(), to: z.string() }));

const isOther = (a: MoveNote) => (b: MoveNote) => a.from !== b.from || a.to !== b.to;

export function createMoveNotes(
  users: Pick<UserStore, "setting" | "putSetting" | "connections">,
  dataFolder: string,
): MoveNotes {
  const read = (): MoveNote[] => {
    try {
      return notes.parse(JSON.parse(users.setting(SETTING) ?? "[]"));
    } catch (thrown) {
      if (thrown instanceof SyntaxError || thrown instanceof z.ZodError) return [];
      throw thrown;
    }
  };
  const write = (all: readonly MoveNote[]): void =>
    users.putSetting(SETTING, all.length === 0 ? null : JSON.stringify(all));
  // What this very program is about is not to be cleaned.
  let underWay: readonly MoveNote[] = [];
  const leave = (note: MoveNote): void => void (underWay = underWay.filter(isOther(note)));
  return {
    begin(note) {
      underWay = [...underWay, note];
      write([...read().filter(isOther(note)), note]);
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
      const isClean = ({ from, to }: MoveNote): boolean => {
        // Before the switch `to` is the copy, after it `from` is.
        const stale = inUse.has(to) ? from : to;
        return (
          removeCopy(to) && (inUse.has(stale) || !existsSync(stale) || !isCacheFile(stale) || removeDatabase(stale))
        );
      };
      write(all.filter((note) => underWay.some((own) => !isOther(own)(note)) || !isClean(note)));
    },
  };
}
