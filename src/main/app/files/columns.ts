import { z } from "zod";
import { type ChosenColumns, chosenColumns } from "#shared/file/columns.ts";
import { parseStored } from "#shared/storedJson.ts";
import type { UserStore } from "../../store/types.ts";

/** What the user said columns of tables of text hold, by the line of their names, for other files with the same line. */
export interface ColumnChoices {
  list(): readonly KeptColumns[];
  of(header: string): ChosenColumns | null;
  keep(header: string, columns: ChosenColumns): void;
}

export interface KeptColumns {
  readonly header: string;
  readonly columns: ChosenColumns;
}

const SETTING = "tableColumns";
const MOST = 100;
/** Longer lines are not kept. */
const MOST_CHARACTERS = 10_000;
const stored = z.array(z.object({ header: z.string(), columns: chosenColumns }));

export function createColumnChoices(users: Pick<UserStore, "setting" | "putSetting">): ColumnChoices {
  const list = () => parseStored(stored, users.setting(SETTING)) ?? [];
  return {
    list,
    of: (header) => list().find((kept) => kept.header === header)?.columns ?? null,
    keep(header, columns) {
      if (header.length > MOST_CHARACTERS) return;
      const next = [{ header, columns }, ...list().filter((kept) => kept.header !== header)];
      try {
        users.putSetting(SETTING, JSON.stringify(next.slice(0, MOST)));
      } catch {
        // A disk that may not be written keeps nobody from reading a file.
      }
    },
  };
}
