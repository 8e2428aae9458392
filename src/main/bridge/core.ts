import { failure, type Result, success } from "#shared/service/error.ts";
import { type AppFault, usageFault } from "#shared/fault.ts";
import type { App } from "../app/application.ts";
import type { OpenConnection } from "../app/connections/connections.ts";
import type { Events } from "../app/events.ts";
import type { Ports } from "../ports.ts";
import type { UserStore } from "../store/user/types.ts";

/** Context of the bridge handlers. */
export interface Core {
  readonly app: Omit<App, "serve" | "suspend" | "resume" | "close">;
  readonly ports: Ports;
  readonly users: UserStore;
  readonly events: Events;
  /** Files that the user chose in a system dialog: a window may write nowhere else. */
  readonly chosenFiles: Set<string>;
}

/** Opens the connection of a call. */
async function openConnection(core: Core, connectionId: string): Promise<Result<OpenConnection, AppFault>> {
  const record = core.app.connections.find(connectionId);
  if (!record) return failure(usageFault("This connection no longer exists. Choose another one."));
  return success(await core.app.connections.open(record));
}

/** Runs a function with the connection of a call. */
export async function withConnection<T>(
  core: Core,
  connectionId: string,
  work: (connection: OpenConnection) => Result<T, AppFault> | Promise<Result<T, AppFault>>,
): Promise<Result<T, AppFault>> {
  const connection = await openConnection(core, connectionId);
  return connection.ok ? work(connection.value) : connection;
}
