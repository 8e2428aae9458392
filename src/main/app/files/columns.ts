import { z } from "zod";
import { type ChosenColumns, chosenColumns } from "#shared/file/columns.ts";
import { parseStored } from "#shared/storedJson.ts";
import type { UserStore } from "../../store/index.ts";

/** The user's choices of what the columns of text tables mean, by header line, for other files with the same header. */
export interface ColumnChoices {
  list(): readonly SavedColumns[];
  find(header: string): ChosenColumns | null;
  save(header: string, columns: ChosenColumns): void;
}

export interface SavedColumns {
  readonly header: string;
  readonly columns: ChosenColumns;
}

const SETTING = "tableColumns";
const MAX_CHOICES = 100;
/** Longer headers are not saved. */
const MAX_HEADER_CHARACTERS = 10_000;
const choicesSchema = z.array(z.object({ header: z.string(), columns: chosenColumns }));

export function createColumnChoices(users: Pick<UserStore, "setting" | "putSetting">): ColumnChoices {
  const list = () => parseStored(choicesSchema, users.setting(SETTING)) ?? [];
  return {
    list,
    find: (header) => list().find((kept) => kept.header === header)?.columns ?? null,
    save(header, columns) {
      if (header.length > MAX_HEADER_CHARACTERS) return;
      const next = [{ header, columns }, ...list().filter((kept) => kept.header !== header)];
      try {
        users.putSetting(SETTING, JSON.stringify(next.slice(0, MAX_CHOICES)));
      } catch {
        // On a read-only disk, the file can still be read.
      }
    },
  };
}
