import { hasSameSettings } from "#shared/edits.ts";
import { type AppFault, usageFailure } from "#shared/fault.ts";
import { type Result, success } from "#shared/service/error.ts";
import { type SavedView, savedView } from "#shared/views/view.ts";
import type { ViewRecord } from "../store/user/types.ts";
import { changedElsewhere, readableRecords, readContent, unreadableRecords } from "./recordContent.ts";
import type { UserStore } from "../store/index.ts";

/** Saved views in user.db. Every function throws `StoreError`. */
export interface SavedViews {
  list(): SavedView[];
  /** Names of unreadable views. */
  damaged(): string[];
  /**
   * @param replaces the only views that they may replace; if the stored ones differ, nothing is saved
   * @returns the replaced views of the same names
   */
  save(views: readonly SavedView[], replaces?: readonly SavedView[]): Result<SavedView[], AppFault>;
  rename(name: string, to: string): Result<null, AppFault>;
  delete(name: string): void;
}

const MAX_VIEWS = 1_000;

export function createSavedViews(users: Pick<UserStore, "views" | "putView" | "deleteView">): SavedViews {
  const list = (): SavedView[] => readableRecords(users.views(), read);
  return {
    list,
    damaged: () => unreadableRecords(users.views(), read),
    save(views, replaces) {
      const replaced = list().filter(({ name }) => views.some((v) => v.name === name));
      const changed = replaces && changedName(replaced, replaces);
      if (changed !== undefined) return changedElsewhere(changed);
      const names = new Set([...users.views(), ...views].map((v) => v.name));
      if (names.size > MAX_VIEWS)
        return usageFailure(`There can be at most ${MAX_VIEWS} views. Delete some that you no longer need.`);
      for (const view of views) users.putView(recordOf(view));
      return success(replaced);
    },
    rename(name, to) {
      const record = users.views().find((v) => v.name === name);
      if (!record) return usageFailure(`The view “${name}” no longer exists.`);
      if (name === to) return success(null);
      if (users.views().some((v) => v.name === to))
        return usageFailure(`Another view is called “${to}”: choose another name.`);
      // In this order, so that a kill in between leaves both instead of none.
      users.putView({ name: to, content: record.content });
      users.deleteView(name);
      return success(null);
    },
    delete: (name) => users.deleteView(name),
  };
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
