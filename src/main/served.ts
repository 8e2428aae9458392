import { type BridgeHandlers, contract } from "#shared/bridge/contract.ts";
import type { CoreChannel } from "#shared/bridge/transport/protocol.ts";
import { failure } from "#shared/service/error.ts";
import { type App, createApp } from "./app.ts";
import { createEvents } from "./app/events.ts";
import { faultOf } from "./fault.ts";
import { logHandlers } from "./bridge/log.ts";
import { openRecovery, usersPath } from "./bridge/recovery.ts";
import { serveChannel } from "./bridge/serve.ts";
import { systemHandlers } from "./bridge/system.ts";
import type { Ports } from "./ports.ts";
import { StoreError } from "./store/index.ts";

/** What a shell serves its windows. */
export interface Served {
  /** null while user.db is damaged: windows can then put a backup in its place, and nothing else. */
  readonly app: App | null;
  /** As `App.serve`. */
  serve(channel: CoreChannel, windowId: number | null): void;
  close(): Promise<void>;
}

/**
 * Makes the application for windows. Where user.db is damaged, serves what a window needs to put a backup in its place, and
 * makes the application once that is done.
 *
 * @throws StoreError where user.db cannot be opened for another reason
 */
export function serveApp(ports: Ports): Served {
  const events = createEvents();
  let made = makeOrWhyNot(ports);
  const rescue = (error: StoreError): BridgeHandlers =>
    rescueHandlers(ports, error, () => {
      // A backup that cannot be used after all leaves the windows where they are.
      if (made instanceof StoreError) made = createApp(ports);
      events.emit("recovered", null);
    });
  return {
    get app() {
      return made instanceof StoreError ? null : made;
    },
    serve(channel, windowId) {
      if (made instanceof StoreError) serveChannel(rescue(made), events, channel, windowId);
      else made.serve(channel, windowId);
    },
    close: async () => (made instanceof StoreError ? undefined : made.close()),
  };
}

/** The application, or what is wrong with user.db that a backup would help against. */
function makeOrWhyNot(ports: Ports): App | StoreError {
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

/** Everything that needs user.db is answered with what is wrong with it. */
function rescueHandlers(ports: Ports, error: StoreError, onRestored: () => void): BridgeHandlers {
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
    system: systemHandlers({ app: { folderWarning: null }, ports, chosenFiles: new Set() }),
    recovery: openRecovery(ports.dataFolder, error, onRestored),
  };
}
