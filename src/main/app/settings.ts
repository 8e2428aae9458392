import { type Settings, settingsSchema } from "#shared/bridge/methods/settings.ts";
import { type StationGroup, withGroupChanges } from "#shared/station/group.ts";
import { parseStored } from "#shared/storedJson.ts";
import type { UserStore } from "../store/index.ts";

const SETTINGS_KEY = "settings";
const WORKSPACE_PREFIX = "workspace:";

/** Settings of the application and workspaces of its windows, in user.db. */
export class SettingsStore {
  readonly #users: Pick<UserStore, "assertWritable" | "putSetting" | "setting">;

  constructor(users: Pick<UserStore, "assertWritable" | "putSetting" | "setting">) {
    this.#users = users;
  }

  read(): Settings {
    return parseStored(settingsSchema, this.#users.setting(SETTINGS_KEY)) ?? settingsSchema.parse({});
  }

  /** Changes the given fields, except undefined ones. What changes nothing is not written: a start would wait for the disk. */
  write(changes: { readonly [Name in keyof Settings]?: Settings[Name] | undefined }): Settings {
    const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
    const next = settingsSchema.parse({ ...this.read(), ...given });
    const text = JSON.stringify(next);
    if (text !== this.#users.setting(SETTINGS_KEY)) this.#users.putSetting(SETTINGS_KEY, text);
    return next;
  }

  /** @throws StoreError if they cannot be stored: unlike a look, a group that is gone with the program is a loss */
  changeGroups(before: readonly StationGroup[], after: readonly StationGroup[]): Settings {
    this.#users.assertWritable();
    return this.write({ stationGroups: withGroupChanges(this.read().stationGroups, before, after) });
  }

  workspace(key: string): string | null {
    return this.#users.setting(WORKSPACE_PREFIX + key);
  }

  putWorkspace(key: string, content: string): void {
    this.#users.putSetting(WORKSPACE_PREFIX + key, content);
  }
}
