import type { CallContext } from "#shared/bridge/method.ts";
import type { Result } from "#shared/service/error.ts";
import { type AppFault, usageFailure } from "#shared/fault.ts";
import type { App } from "../app/application.ts";
import type { OpenConnection } from "../app/connections/connections.ts";
import type { Events } from "../app/events.ts";
import { createPace, type Pace } from "../app/pace.ts";
import type { Ports } from "../ports.ts";

/** Context of the bridge handlers. */
export interface Core {
  readonly app: Omit<App, "serve" | "suspend" | "resume" | "close">;
  readonly ports: Ports;
  readonly events: Events;
  /** Files that the user chose in a system dialog: a window may write nowhere else. */
  readonly chosenFiles: Set<string>;
}

type Answer<T> = Result<T, AppFault> | Promise<Result<T, AppFault>>;

/** Runs a function with the connection of a call. */
export async function withConnection<T>(
  core: Core,
  connectionId: string,
  work: (connection: OpenConnection) => Answer<T>,
): Promise<Result<T, AppFault>> {
  const record = core.app.connections.find(connectionId);
  if (!record) return usageFailure("This connection no longer exists. Choose another one.");
  return work(await core.app.connections.open(record));
}

/** Makes handlers of functions that take the connection of a call, its input, and its pace. */
export function onConnection(core: Core) {
  return <Input extends { readonly connectionId: string }, T>(
    work: (
      connection: OpenConnection,
      input: Input,
      context: { readonly signal: AbortSignal; readonly pace: Pace },
    ) => Answer<T>,
  ) =>
    (input: Input, { signal }: CallContext): Promise<Result<T, AppFault>> =>
      withConnection(core, input.connectionId, (connection) =>
        work(connection, input, { signal, pace: createPace(signal) }),
      );
}
