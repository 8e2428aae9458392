import { type Settings, settingsSchema } from "#shared/bridge/methods/settings.ts";
import { type StationGroup, withGroupChanges } from "#shared/station/group.ts";
import { parseStored } from "#shared/storedJson.ts";
import type { UserStore } from "../store/index.ts";

/** Settings of the application and workspaces of its windows, in user.db. */
interface SettingsStore {
  read(): Settings;
  /** Changes the given fields, except undefined ones. */
  write(changes: { readonly [Name in keyof Settings]?: Settings[Name] | undefined }): Settings;
  changeGroups(before: readonly StationGroup[], after: readonly StationGroup[]): Settings;
  workspace(key: string): string | null;
  putWorkspace(key: string, content: string): void;
}

const SETTINGS_KEY = "settings";
const WORKSPACE_PREFIX = "workspace:";

export function createSettings(users: Pick<UserStore, "setting" | "putSetting">): SettingsStore {
  const read = (): Settings => parseSettings(users.setting(SETTINGS_KEY));
  const write: SettingsStore["write"] = (changes) => {
    const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
    const next = settingsSchema.parse({ ...read(), ...given });
    users.putSetting(SETTINGS_KEY, JSON.stringify(next));
    return next;
  };
  return {
    read,
    write,
    changeGroups: (before, after) => write({ stationGroups: withGroupChanges(read().stationGroups, before, after) }),
    workspace: (key) => users.setting(WORKSPACE_PREFIX + key),
    putWorkspace: (key, content) => users.putSetting(WORKSPACE_PREFIX + key, content),
  };
}

/** Parses settings; missing or invalid fields get their default. */
export function parseSettings(text: string | null): Settings {
  return parseStored(settingsSchema, text) ?? settingsSchema.parse({});
}
