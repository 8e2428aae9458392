import { z } from "zod";
import { type ChosenColumns, chosenColumns } from "#shared/file/columns.ts";
import { parseStored } from "#shared/storedJson.ts";
import type { UserStore } from "../../store/index.ts";

interface SavedColumns {
  readonly header: string;
  readonly columns: ChosenColumns;
}

const SETTING = "tableColumns";
const MAX_CHOICES = 100;
/** Longer headers are not saved. */
const MAX_HEADER_CHARACTERS = 10_000;
const choicesSchema = z.array(z.object({ header: z.string(), columns: chosenColumns }));

/** The user's choices of what the columns of text tables mean, by header line, for other files with the same header. */
export class ColumnChoices {
  readonly #users: Pick<UserStore, "setting" | "putSetting">;
  /** By header: what is not stored, for as long as the program runs. */
  readonly #unsaved = new Map<string, ChosenColumns>();

  constructor(users: Pick<UserStore, "setting" | "putSetting">) {
    this.#users = users;
  }

  list(): readonly SavedColumns[] {
    return parseStored(choicesSchema, this.#users.setting(SETTING)) ?? [];
  }

  find(header: string): ChosenColumns | null {
    return this.#unsaved.get(header) ?? this.list().find((kept) => kept.header === header)?.columns ?? null;
  }

  save(header: string, columns: ChosenColumns): void {
    this.#unsaved.set(header, columns);
    if (header.length > MAX_HEADER_CHARACTERS) return;
    const next = [{ header, columns }, ...this.list().filter((kept) => kept.header !== header)];
    try {
      this.#users.putSetting(SETTING, JSON.stringify(next.slice(0, MAX_CHOICES)));
      this.#unsaved.delete(header);
    } catch {
      // On a read-only disk, the file can still be read.
    }
  }
}
