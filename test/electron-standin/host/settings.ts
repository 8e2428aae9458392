/** What the test says before the application starts. */
export interface StandinSettings {
  readonly chromium: string;
  /**
   * What seals on this Linux: the desktop's keyring, its portal, or nothing but a key that everybody knows; or a store that
   * refuses. Electron's own answers about it tell none of them apart.
   */
  readonly keyStore: "keyring" | "portal" | "none" | "refuses";
  /**
   * When a window says that it is ready to be shown: with its page; late, when the test says so; or, as on Wayland, never.
   * Where a page is stuck, it does not even say that it has loaded.
   */
  readonly readyToShow: "loaded" | "late" | "never" | "stuck";
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
