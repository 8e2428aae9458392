import type { Settings } from "#shared/bridge/methods/settings.ts";
import type { Capabilities, KeyProtection } from "#shared/bridge/methods/system.ts";
import { messageOf } from "#shared/fault.ts";
import type { CoreToShell, ShellToCore } from "../supervisor/shellLink.ts";
import type { OpenFileOptions, SaveFileOptions } from "../ports.ts";
import { SecretError } from "../secrets.ts";

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
  | ShellToCore
  | { readonly kind: "start"; readonly options: CoreOptions }
  /** Sent with the window's port. */
  | { readonly kind: "window"; readonly windowId: number }
  /** Sent with the port of a process that reads files, which was requested by `guest`. */
  | { readonly kind: "guest" }
  /** The system asked to open files. */
  | { readonly kind: "offer"; readonly paths: readonly string[] }
  | { readonly kind: "suspend" }
  | { readonly kind: "resume" }
  | { readonly kind: "answer"; readonly id: number; readonly value: unknown }
  | { readonly kind: "refusal"; readonly id: number; readonly message: string; readonly aboutKey: boolean };

export type FromCoreProcess =
  | CoreToShell
  /** The first message: from here on, messages to the core are not lost. */
  | { readonly kind: "listening" }
  /** Starts a process that reads files; answered by `guest`. */
  | { readonly kind: "guest" }
  /** It is about to stop, with the reason. */
  | { readonly kind: "stopping"; readonly message: string }
  | { readonly kind: "ask"; readonly id: number; readonly name: keyof ShellCalls; readonly input: readonly unknown[] };

type Answered = Extract<ToCoreProcess, { readonly kind: "answer" | "refusal" }>;

/** Calls of the core to the main process. */
export class ShellCaller {
  readonly #post: (message: FromCoreProcess) => void;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #lastId = 0;

  readonly ask = <Name extends keyof ShellCalls>(
    name: Name,
    ...input: Parameters<ShellCalls[Name]>
  ): ReturnType<ShellCalls[Name]> => {
    const id = ++this.#lastId;
    const waits = Promise.withResolvers<unknown>();
    this.#waiting.set(id, waits);
    this.#post({ kind: "ask", id, name, input });
    return waits.promise as ReturnType<ShellCalls[typeof name]>;
  };

  constructor(post: (message: FromCoreProcess) => void) {
    this.#post = post;
  }

  answered(message: Answered): void {
    const waits = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (message.kind === "answer") waits?.resolve(message.value);
    else waits?.reject(message.aboutKey ? new SecretError(message.message) : new Error(message.message));
  }
}

/** Handles a call of the core in the main process. */
export async function answerCall(
  calls: ShellCalls,
  { id, name, input }: Extract<FromCoreProcess, { readonly kind: "ask" }>,
): Promise<Answered> {
  try {
    if (!Object.hasOwn(calls, name)) throw new Error(`There is no call “${name}”.`);
    const call = calls[name] as (...input: readonly unknown[]) => Promise<unknown>;
    return { kind: "answer", id, value: await call(...input) };
  } catch (thrown) {
    const message = messageOf(thrown);
    return { kind: "refusal", id, message, aboutKey: thrown instanceof SecretError };
  }
}
