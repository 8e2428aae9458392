import type { z } from "zod";
import { hasSameSettings } from "#shared/edits.ts";
import { type AppFault, usageFailure } from "#shared/fault.ts";
import { type SavedExport, savedExport } from "#shared/file/savedExport.ts";
import { type Result, success } from "#shared/service/error.ts";
import { type SavedView, savedView } from "#shared/views/view.ts";
import { log } from "../log/index.ts";
import type { NamedKind, NamedRecord, NamedValue, UserStore } from "../store/index.ts";

/** What differs between the kinds of records that the user names. */
interface Kind<Item extends NamedValue> {
  readonly kind: NamedKind;
  readonly schema: z.ZodType<Item>;
  readonly most: number;
  /** Words of sentences: "saved export", "saved exports". */
  readonly one: string;
  readonly many: string;
  /** How to create the first one. */
  readonly create: string;
  /** How to delete one that cannot be read. */
  readonly remove: string;
}

export interface Entry<Item> {
  readonly id: string;
  readonly item: Item;
}

interface ReadRecord<Item> extends NamedRecord {
  /** Null if it cannot be read. */
  readonly entry: Entry<Item> | null;
}

/** Records of user.db that the user names. Every function throws `StoreError`. */
export class NamedRecords<Item extends NamedValue> {
  readonly #users: UserStore;
  readonly #kind: Kind<Item>;
  /** As read last: schedules are looked at every minute, and seldom change. */
  #seen: { readonly revision: string; readonly records: readonly ReadRecord<Item>[] } | null = null;
  /** Each unreadable record is logged once, however often it is read. */
  readonly #logged = new Set<string>();

  constructor(users: UserStore, kind: Kind<Item>) {
    this.#users = users;
    this.#kind = kind;
  }

  list(): Item[] {
    return this.entries().map(({ item }) => item);
  }

  /** By name, without records that this version cannot read. */
  entries(): Entry<Item>[] {
    return this.#all().flatMap(({ entry }) => entry ?? []);
  }

  /** Names of unreadable records: damaged, or of a newer version. They stay stored, and can only be removed. */
  unreadable(): string[] {
    return this.#all().flatMap(({ name, entry }) => (entry === null ? [name] : []));
  }

  /** Of all records, readable or not. */
  names(): string[] {
    return this.#all().map(({ name }) => name);
  }

  /** By name or id. */
  entry(name: string): Entry<Item> | null {
    return this.#record(name)?.entry ?? null;
  }

  /** As `entry`, or a fault that says why there is none. */
  find(name: string): Result<Entry<Item>, AppFault> {
    const record = this.#record(name);
    if (!record) {
      const names = this.list().map((item) => `“${item.name}”`);
      const hint = names.length === 0 ? `There is none yet. ${this.#kind.create}` : `Choose from ${names.join(", ")}.`;
      return usageFailure(`There is no ${this.#kind.one} “${name}”. ${hint}`);
    }
    return record.entry ? success(record.entry) : usageFailure(this.unreadableWords(record.name));
  }

  unreadableWords(name: string): string {
    const { one, remove } = this.#kind;
    return `The ${one} “${name}” is damaged, or of a newer version, and cannot be used. ${remove}`;
  }

  /** Stores records under their ids, and deletes others in the same transaction. */
  put(entries: readonly Entry<Item>[], remove: readonly string[] = []): Result<null, AppFault> {
    const { kind, most, many } = this.#kind;
    const all = this.#all();
    const connectionIds = new Set(this.#users.connections().map(({ id }) => id));
    const belongs = ({ connectionId }: Item): boolean => kind === "view" || connectionIds.has(connectionId ?? "");
    if (!entries.every(({ item }) => belongs(item)))
      return usageFailure("This connection no longer exists. Choose another one.");
    const taken = entries.find(({ id, item }) => all.some((other) => other.name === item.name && other.id !== id));
    if (taken) return this.#isTaken(taken.item.name);
    const ids = new Set([...all, ...entries].map(({ id }) => id));
    if (ids.size - remove.length > most)
      return usageFailure(`You can have at most ${most} ${many}. Delete some that you no longer need.`);
    this.#users.changeNamed(kind, { put: entries.map(({ id, item }) => ({ id, value: item })), remove });
    return success(null);
  }

  /**
   * Stores records whose id is their name.
   *
   * @param replaces the only records that they may replace, under whatever name; if the stored ones differ, nothing is saved
   * @returns the replaced records
   */
  save(items: readonly Item[], replaces?: readonly Item[]): Result<Item[], AppFault> {
    const gone = (replaces ?? []).filter(({ name }) => !isNamed(items, name));
    const replaced = this.list().filter(({ name }) => isNamed([...items, ...gone], name));
    const changed =
      replaces && (changedName(replaced, replaces) ?? this.unreadable().find((name) => isNamed(items, name)));
    if (changed !== undefined)
      return usageFailure(`“${changed}” was changed in another window, so this change was not saved.`);
    const entries = items.map((item) => ({ id: item.name, item }));
    const stored = this.put(
      entries,
      gone.map(({ name }) => name),
    );
    return stored.ok ? success(replaced) : stored;
  }

  /** Changes a record whose id is its name. */
  edit(name: string, change: (current: Item) => Item): Result<Edited<Item>, AppFault> {
    const found = this.find(name);
    if (!found.ok) return found;
    const replaced = found.value.item;
    const saved = change(replaced);
    const isRenamed = saved.name !== replaced.name;
    if (isRenamed && this.#record(saved.name)) return this.#isTaken(saved.name);
    const stored = this.put([{ id: saved.name, item: saved }], isRenamed ? [replaced.name] : []);
    return stored.ok ? success({ saved, replaced }) : stored;
  }

  /** Deletes a record, readable or not, by name or id. @returns whether it existed */
  remove(name: string): boolean {
    const record = this.#record(name);
    if (!record) return false;
    this.#users.changeNamed(this.#kind.kind, { remove: [record.id] });
    return true;
  }

  #isTaken(name: string): Result<never, AppFault> {
    return usageFailure(`Another ${this.#kind.one} is called “${name}”: choose another name.`);
  }

  #all(): readonly ReadRecord<Item>[] {
    const revision = this.#users.namedRevision(this.#kind.kind);
    if (this.#seen?.revision === revision) return this.#seen.records;
    const all = this.#users.named(this.#kind.kind);
    const sorted = all.toSorted((a, b) => a.name.localeCompare(b.name, "en", { numeric: true }));
    const records = sorted.map((record) => ({ ...record, entry: this.#entry(record) }));
    this.#seen = { revision, records };
    return records;
  }

  #record(name: string): ReadRecord<Item> | undefined {
    return this.#all().find((record) => record.name === name.trim() || record.id === name);
  }

  #entry({ id, name, value }: NamedRecord): Entry<Item> | null {
    const read = this.#kind.schema.safeParse(value);
    if (read.success) return { id, item: read.data };
    if (!this.#logged.has(id)) log.warn(`the ${this.#kind.one} “${name}” is damaged`, read.error);
    this.#logged.add(id);
    return null;
  }
}

interface Edited<Item> {
  readonly saved: Item;
  readonly replaced: Item;
}

function isNamed(items: readonly NamedValue[], name: string): boolean {
  return items.some((item) => item.name === name);
}

function isIn(items: readonly NamedValue[], item: NamedValue): boolean {
  return items.some((one) => hasSameSettings(one, item));
}

/** The name of a record that only one list has, or that differs between them. */
function changedName(stored: readonly NamedValue[], expected: readonly NamedValue[]): string | undefined {
  return (expected.find((item) => !isIn(stored, item)) ?? stored.find((item) => !isIn(expected, item)))?.name;
}

export type SavedViews = NamedRecords<SavedView>;

export function savedViewsIn(users: UserStore): SavedViews {
  return new NamedRecords(users, {
    kind: "view",
    schema: savedView,
    most: 1_000,
    one: "saved view",
    many: "saved views",
    create: "Save one in the window.",
    remove: "Delete it under Views in the window.",
  });
}

export type SavedExports = NamedRecords<SavedExport>;

export function savedExportsIn(users: UserStore): SavedExports {
  return new NamedRecords(users, {
    kind: "savedExport",
    schema: savedExport,
    most: 500,
    one: "saved export",
    many: "saved exports",
    create: "Save one in the export dialog of the window.",
    remove: "Delete it with “exports remove”.",
  });
}
