/** What the test says before the application starts. */
export interface StandinSettings {
  readonly chromium: string;
  readonly storageBackend: "gnome_libsecret" | "basic_text";
  /** AES-256 key of the pretended secret store, hexadecimal. */
  readonly storageKey: string;
  readonly electronVersion: string;
  /** Where files that are given to a page lie, by their names; nowhere where it is null. */
  readonly fileFolder: string | null;
}

const VARIABLE = "ELECTRON_STANDIN";

export function settingsEnvironment(settings: StandinSettings): Record<string, string> {
  return { [VARIABLE]: JSON.stringify(settings) };
}

export const settings = JSON.parse(process.env[VARIABLE] ?? "{}") as StandinSettings;
