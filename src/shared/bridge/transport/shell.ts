import type { FileGrant } from "#shared/file/opened.ts";

/** API of the preload script for the page, as `window.zenithShell`; absent in the web shell. */
export interface ZenithShell {
  /** `process.platform`. */
  readonly platform: string;
  /** Receives the id of a command (see `shared/commands.ts`) chosen in the system's menu. */
  onCommand(listener: (command: string) => void): void;
  /** Receives whether the core responds: on each change, and on `requestCore` if it does not. */
  onCoreAnswering(listener: (isAnswering: boolean) => void): void;
  /** Ends an unresponsive core; a new one is started. */
  restartCore(): void;
  /**
   * Requests a port to the core. It arrives at the page's `window` as a message, see `corePort`; a new one arrives after
   * each restart of the core. Returns the nonce of the messages meant for the caller.
   */
  requestCore(): string;
  /**
   * Returns grants for files that the user dropped on the page or chose in it, in the same order, without folders and
   * `File`s that are not on disk. Rejects with a sentence if the core is unavailable.
   */
  grantFiles(files: readonly unknown[]): Promise<readonly FileGrant[]>;
}

/** The message that carries a port to the core. */
export interface PortMessage {
  readonly kind: "zenith:port";
  /** Returned by `requestCore`. */
  readonly nonce: string;
  /** Why the core was restarted, in a sentence; null for the first port. */
  readonly reason: string | null;
}

/** The properties of the DOM's `MessageEvent` that identify content and sender. */
interface ArrivedMessage<Port> {
  readonly data: unknown;
  readonly origin: string;
  readonly source: unknown;
  readonly ports: readonly Port[];
}

/**
 * Returns the port of a message from the preload script to this page; null for any other message.
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
