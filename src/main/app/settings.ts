import { type Settings, settingsSchema } from "#shared/bridge/methods/settings.ts";
import { parseStored } from "#shared/storedJson.ts";
import type { UserStore } from "../store/types.ts";

/** Settings of the application, and workspaces of its windows, as they outlive the program. */
export interface KeptSettings {
  read(): Settings;
  /** Changes the given fields; undefined leaves one as it is. */
  write(changes: { readonly [Name in keyof Settings]?: Settings[Name] | undefined }): Settings;
  workspace(key: string): string | null;
  putWorkspace(key: string, content: string): void;
}

const SETTINGS = "settings";
const WORKSPACE = "workspace:";

export function createSettings(users: Pick<UserStore, "setting" | "putSetting">): KeptSettings {
  const read = (): Settings => parseSettings(users.setting(SETTINGS));
  return {
    read,
    write(changes) {
      const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
      const next = settingsSchema.parse({ ...read(), ...given });
      users.putSetting(SETTINGS, JSON.stringify(next));
      return next;
    },
    workspace: (key) => users.setting(WORKSPACE + key),
    putWorkspace: (key, content) => users.putSetting(WORKSPACE + key, content),
  };
}

/** The settings that a text holds; the default for every field that it does not, or not in a form that can be used. */
export function parseSettings(text: string | null): Settings {
  return parseStored(settingsSchema, text) ?? settingsSchema.parse({});
}
