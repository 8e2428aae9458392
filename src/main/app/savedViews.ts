import { hasSameSettings } from "#shared/edits.ts";
import { type AppFault, usageFailure } from "#shared/fault.ts";
import { type Result, success } from "#shared/service/error.ts";
import { type SavedView, savedView } from "#shared/views/view.ts";
import type { ViewRecord } from "../store/user/types.ts";
import { changedElsewhere, readableRecords, readContent, unreadableRecords } from "./recordContent.ts";
import type { UserStore } from "../store/index.ts";

const MAX_VIEWS = 1_000;

/** Saved views in user.db. Every function throws `StoreError`. */
export class SavedViews {
  readonly #users: UserStore;

  constructor(users: UserStore) {
    this.#users = users;
  }

  list(): SavedView[] {
    return readableRecords(this.#users.views(), read);
  }

  /** Names of unreadable views. */
  damaged(): string[] {
    return unreadableRecords(this.#users.views(), read);
  }

  /**
   * @param replaces the only views that they may replace; if the stored ones differ, nothing is saved
   * @returns the replaced views of the same names
   */
  save(views: readonly SavedView[], replaces?: readonly SavedView[]): Result<SavedView[], AppFault> {
    const replaced = this.list().filter(({ name }) => views.some((v) => v.name === name));
    const changed = replaces && changedName(replaced, replaces);
    if (changed !== undefined) return changedElsewhere(changed);
    const names = new Set([...this.#users.views(), ...views].map((v) => v.name));
    if (names.size > MAX_VIEWS)
      return usageFailure(`There can be at most ${MAX_VIEWS} views. Delete some that you no longer need.`);
    for (const view of views) this.#users.putView(recordOf(view));
    return success(replaced);
  }

  rename(name: string, to: string): Result<null, AppFault> {
    const record = this.#users.views().find((v) => v.name === name);
    if (!record) return usageFailure(`The view “${name}” no longer exists.`);
    if (name === to) return success(null);
    if (this.#users.views().some((v) => v.name === to))
      return usageFailure(`Another view is called “${to}”: choose another name.`);
    // In this order, so that a kill in between leaves both instead of none.
    this.#users.putView({ name: to, content: record.content });
    this.#users.deleteView(name);
    return success(null);
  }

  delete(name: string): void {
    this.#users.deleteView(name);
  }
}

/** The name of a view that only one list has, or that differs between them. */
function changedName(stored: readonly SavedView[], expected: readonly SavedView[]): string | undefined {
  return (stored.find((view) => !isIn(expected, view)) ?? expected.find((view) => !isIn(stored, view)))?.name;
}

function isIn(views: readonly SavedView[], view: SavedView): boolean {
  return views.some((one) => hasSameSettings(one, view));
}

function recordOf({ name, ...content }: SavedView): ViewRecord {
  return { name, content };
}

function read({ name, content }: ViewRecord): SavedView | null {
  return readContent(savedView, "saved view", { name }, content);
}
