import { z } from "zod";
import { type KeptColumns, keptColumns, type Remember } from "#shared/file/columns.ts";
import { parseStored } from "#shared/storedJson.ts";
import type { UserStore } from "../../store/index.ts";

interface SavedColumns {
  readonly header: string;
  readonly columns: KeptColumns;
}

const SETTING = "tableColumns";
const MAX_CHOICES = 100;
/** Longer headers are not saved. */
const MAX_HEADER_CHARACTERS = 10_000;
const choicesSchema = z.array(z.object({ header: z.string(), columns: keptColumns }));

/** The user's answers on what the columns of tables mean, by header line, for other files with the same header. */
export class ColumnChoices {
  readonly #users: Pick<UserStore, "setting" | "putSetting">;
  /** By header: what is not stored, for as long as the program runs. */
  readonly #unsaved = new Map<string, KeptColumns>();

  constructor(users: Pick<UserStore, "setting" | "putSetting">) {
    this.#users = users;
  }

  list(): readonly SavedColumns[] {
    return parseStored(choicesSchema, this.#users.setting(SETTING)) ?? [];
  }

  find(header: string): KeptColumns | null {
    return this.#unsaved.get(header) ?? this.list().find((kept) => kept.header === header)?.columns ?? null;
  }

  /** Returns what tells a reader of files the earlier answers, and a function that saves those which it was told. */
  answering(): { readonly remembered: Remember; save(): void } {
    const now = new Map<string, KeptColumns>();
    return {
      remembered: (header, answered) => {
        if (answered && header !== "") now.set(header, answered);
        return this.find(header);
      },
      save: () => now.forEach((answered, header) => this.#save(header, answered)),
    };
  }

  #save(header: string, { answers: all, noValue }: KeptColumns): void {
    const before = this.find(header)?.answers ?? [];
    const others = before.filter(({ chosen }) => !all.some((each) => each.chosen.column === chosen.column));
    const columns = { answers: [...all.filter(({ said }) => said !== null), ...others], noValue };
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
