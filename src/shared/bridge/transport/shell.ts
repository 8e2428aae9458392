import type { FileGrant } from "#shared/file/opened.ts";

/** What the preload script gives the page, as `window.zenithShell`; absent in the web shell. */
export interface ZenithShell {
  /** As `process.platform` says it. */
  readonly platform: string;
  /** Ids of commands (see `shared/commands.ts`) that were chosen in the system's menu. */
  onCommand(listener: (command: string) => void): void;
  /** Whether the core answers: told when that changes, and to a page that asks for the core where it does not. */
  onEngine(listener: (isAnswering: boolean) => void): void;
  /** Ends a core that does not answer; another one is started. */
  restartEngine(): void;
  /**
   * Asks for a way to the core. It arrives at the page's `window` as a message, see `corePort`; another one arrives,
   * unasked, whenever the core was started again. Gives the word that marks the messages meant for the caller.
   */
  requestCore(): string;
  /**
   * Grants for files that the user dropped on the page or chose in it, in the same order; folders and what is no file on
   * this computer are left out. Rejects with a sentence where the core cannot be had.
   */
  grantFiles(files: readonly unknown[]): Promise<readonly FileGrant[]>;
}

/** The message that brings a port to the core. */
export interface PortMessage {
  readonly kind: "zenith:port";
  /** What `requestCore` gave. */
  readonly nonce: string;
  /** Why the core was started again, in a sentence; null on the first way. */
  readonly reason: string | null;
}

/** The parts of the DOM's `MessageEvent` that say what arrived, and from whom. */
export interface ArrivedMessage<Port> {
  readonly data: unknown;
  readonly origin: string;
  readonly source: unknown;
  readonly ports: readonly Port[];
}

/**
 * The port in a message, where it is one of the preload script's to this very page; else null.
 *
 * @param self the page's own window and origin
 */
export function corePort<Port>(
  event: ArrivedMessage<Port>,
  nonce: string,
  self: { readonly window: unknown; readonly origin: string },
): { readonly port: Port; readonly reason: string | null } | null {
  const [port] = event.ports;
  if (event.source !== self.window || event.origin !== self.origin || port === undefined) return null;
  if (!isPortMessage(event.data) || event.data.nonce !== nonce) return null;
  return { port, reason: event.data.reason };
}

function isPortMessage(data: unknown): data is PortMessage {
  if (typeof data !== "object" || data === null) return false;
  if (!("kind" in data && "nonce" in data && "reason" in data)) return false;
  return data.kind === "zenith:port" && (data.reason === null || typeof data.reason === "string");
}
