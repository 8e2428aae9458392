/** Settings of the test for the start of the application. */
export interface StandinSettings {
  /** The browser of the windows; null if the program opens none, like a command. */
  readonly chromium: string | null;
  /**
   * The secret store: the keyring of the desktop, its portal, none but a hard-coded key, a store that rejects encryption,
   * or one that is locked at the start. Functions of Electron do not distinguish these. Electron asks a store once per
   * process: one that is unlocked later stays locked for this process.
   */
  readonly keyStore: "keyring" | "portal" | "none" | "refuses" | "locked";
  /**
   * When a window is ready to be shown: with its page; late, when the test requests it; or, as on Wayland, never. A
   * stuck page does not report that it has loaded, either.
   */
  readonly readyToShow: "loaded" | "late" | "never" | "stuck";
  /**
   * The sandbox of renderers: none, because Chromium refuses it to root; in user namespaces, as a user other than root;
   * or refused, on a system that allows no user namespaces.
   */
  readonly sandbox: "none" | "namespaces" | "refused";
  /** AES-256 key of the simulated secret store, hexadecimal. */
  readonly storageKey: string;
  readonly electronVersion: string;
  /** The folder of files given to a page, which are found by name; null if there are none. */
  readonly fileFolder: string | null;
}

const VARIABLE = "ELECTRON_STANDIN";

export function settingsEnvironment(settings: StandinSettings): Record<string, string> {
  return { [VARIABLE]: JSON.stringify(settings) };
}

export const settings = JSON.parse(process.env[VARIABLE] ?? "{}") as StandinSettings;
