import { type BridgeHandlers, contract } from "#shared/bridge/contract.ts";
import type { CoreChannel } from "#shared/bridge/transport/protocol.ts";
import { failure } from "#shared/service/error.ts";
import { type App, createApp } from "./app.ts";
import { Events } from "./app/events.ts";
import { faultOf } from "./fault.ts";
import { logHandlers, openRecovery, systemHandlers, usersPath } from "./bridge/system.ts";
import { serveChannel } from "./bridge/serve.ts";
import type { Ports } from "./ports.ts";
import { StoreError } from "./store/index.ts";

/**
 * The core of a shell, as served to windows. If user.db is damaged, it serves only the recovery until a backup is restored.
 */
export class Served {
  readonly #ports: Ports;
  readonly #events = new Events();
  #app;

  /** @throws StoreError if user.db cannot be opened for another reason than damage */
  constructor(ports: Ports) {
    this.#ports = ports;
    this.#app = createAppOrDamage(ports);
  }

  /** Null while user.db is damaged: then windows can only restore a backup. */
  get app(): App | null {
    return this.#app instanceof StoreError ? null : this.#app;
  }

  /** As `App.serve`. */
  serve(channel: CoreChannel, windowId: number | null): void {
    if (this.#app instanceof StoreError) serveChannel(this.#recoveryFor(this.#app), this.#events, channel, windowId);
    else this.#app.serve(channel, windowId);
  }

  async close(): Promise<void> {
    return this.#app instanceof StoreError ? undefined : this.#app.close();
  }

  #recoveryFor(error: StoreError): BridgeHandlers {
    return recoveryHandlers(this.#ports, error, () => {
      // If the backup is unusable too, windows stay in recovery.
      if (this.#app instanceof StoreError) this.#app = createApp(this.#ports);
      this.#events.emit("recovered", null);
    });
  }
}

/** Creates the application, or returns the damage of user.db that a backup can repair. */
function createAppOrDamage(ports: Ports): App | StoreError {
  try {
    return createApp(ports);
  } catch (thrown) {
    const isDamage =
      thrown instanceof StoreError &&
      thrown.path === usersPath(ports.dataFolder) &&
      (thrown.kind === "corrupt" || thrown.kind === "foreign" || thrown.kind === "newer");
    if (!isDamage) throw thrown;
    return thrown;
  }
}

/** Handlers that refuse all methods that need user.db. */
function recoveryHandlers(ports: Ports, error: StoreError, onRestored: () => void): BridgeHandlers {
  const refuse = () => failure(faultOf(error));
  const refused = Object.fromEntries(
    Object.entries(contract).map(([domain, methods]) => [
      domain,
      Object.fromEntries(Object.keys(methods).map((name) => [name, refuse])),
    ]),
  ) as unknown as BridgeHandlers;
  return {
    ...refused,
    log: logHandlers(ports.dataFolder),
    system: systemHandlers({ app: { warnings: [], hasWritten: () => false }, ports, chosenFiles: new Set() }),
    recovery: openRecovery(ports.dataFolder, error, onRestored),
  };
}
