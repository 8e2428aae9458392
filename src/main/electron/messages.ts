import type { Capabilities, KeyProtection } from "#shared/bridge/methods/system.ts";
import type { Settings } from "#shared/bridge/methods/settings.ts";
import type { FromEngine, ToEngine } from "../engine/shellLink.ts";
import type { OpenFileOptions, SaveFileOptions } from "../ports.ts";

/** Start options of the core. */
export interface CoreOptions {
  readonly dataFolder: string;
  readonly components: readonly { readonly name: string; readonly version: string }[];
  readonly notifications: boolean;
}

/** Calls of the core to the main process. A failed call rejects with a sentence. */
export interface ShellCalls {
  readKey(connectionId: string): Promise<string | null>;
  writeKey(connectionId: string, key: string): Promise<void>;
  deleteKey(connectionId: string): Promise<void>;
  keyProtection(): Promise<KeyProtection>;
  expectedProtection(): Promise<Capabilities["keys"]>;
  chooseSaveFile(options: SaveFileOptions, windowId: number | null): Promise<string | null>;
  chooseFolder(windowId: number | null): Promise<string | null>;
  chooseOpenFiles(options: OpenFileOptions, windowId: number | null): Promise<readonly string[]>;
  showInFolder(path: string): Promise<void>;
  openExternal(url: string): Promise<void>;
  newWindow(): Promise<void>;
  notify(title: string, text: string): Promise<void>;
  showProgress(share: number | null): Promise<void>;
  useTheme(theme: Settings["theme"]): Promise<void>;
  /** Address of the system's proxy for an origin; null for a direct connection. */
  proxyFor(origin: string): Promise<string | null>;
}

export type ToCoreProcess =
  | ToEngine
  | { readonly kind: "start"; readonly options: CoreOptions }
  /** Sent with the window's port. */
  | { readonly kind: "window"; readonly windowId: number }
  /** The system asked to open files. */
  | { readonly kind: "offer"; readonly paths: readonly string[] }
  | { readonly kind: "suspend" }
  | { readonly kind: "resume" }
  | { readonly kind: "answer"; readonly id: number; readonly value: unknown }
  | { readonly kind: "refusal"; readonly id: number; readonly message: string; readonly aboutKey: boolean };

export type FromCoreProcess =
  | FromEngine
  /** The first message: from here on, messages to the core are not lost. */
  | { readonly kind: "listening" }
  /** It is about to stop, with the reason. */
  | { readonly kind: "stopping"; readonly message: string }
  | { readonly kind: "ask"; readonly id: number; readonly name: keyof ShellCalls; readonly input: readonly unknown[] };
