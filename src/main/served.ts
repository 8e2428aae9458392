import { type BridgeHandlers, contract } from "#shared/bridge/contract.ts";
import type { CoreChannel } from "#shared/bridge/transport/protocol.ts";
import { failure } from "#shared/service/error.ts";
import { type App, createApp } from "./app.ts";
import { createEvents } from "./app/events.ts";
import { faultOf } from "./fault.ts";
import { logHandlers, openRecovery, systemHandlers, usersPath } from "./bridge/system.ts";
import { serveChannel } from "./bridge/serve.ts";
import type { Ports } from "./ports.ts";
import { StoreError } from "./store/index.ts";

/** The core of a shell, as served to windows. */
export interface Served {
  /** Null while user.db is damaged: then windows can only restore a backup. */
  readonly app: App | null;
  /** As `App.serve`. */
  serve(channel: CoreChannel, windowId: number | null): void;
  close(): Promise<void>;
}

/**
 * Creates the application for windows. If user.db is damaged, serves only its recovery until a backup is restored.
 *
 * @throws StoreError if user.db cannot be opened for another reason
 */
export function serveApp(ports: Ports): Served {
  const events = createEvents();
  let app = createAppOrDamage(ports);
  const recoveryFor = (error: StoreError): BridgeHandlers =>
    recoveryHandlers(ports, error, () => {
      // If the backup is unusable too, windows stay in recovery.
      if (app instanceof StoreError) app = createApp(ports);
      events.emit("recovered", null);
    });
  return {
    get app() {
      return app instanceof StoreError ? null : app;
    },
    serve(channel, windowId) {
      if (app instanceof StoreError) serveChannel(recoveryFor(app), events, channel, windowId);
      else app.serve(channel, windowId);
    },
    close: async () => (app instanceof StoreError ? undefined : app.close()),
  };
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
    system: systemHandlers({ app: { warnings: [] }, ports, chosenFiles: new Set() }),
    recovery: openRecovery(ports.dataFolder, error, onRestored),
  };
}
