import type { AppFault } from "#shared/fault.ts";
import { bridge } from "../../bridge/index.ts";
import { openConnection } from "../../stores/connection.ts";
import { nameFor, type Typed } from "./typed.ts";

/** Keeps a connection and shows it. With `isChecked`, only if the service answers and takes the key. */
export async function connect(typed: Typed, isChecked: boolean): Promise<AppFault | null> {
  const { baseUrl, apiKey, remember, allowsPlainHttp } = typed;
  if (isChecked) {
    const tested = await bridge.connections.test({ baseUrl, apiKey, allowsPlainHttp });
    if (!tested.ok) return tested.error;
  }
  const added = await bridge.connections.add({ name: nameFor(typed), baseUrl, apiKey, allowsPlainHttp, remember });
  if (!added.ok) return added.error;
  await openConnection(added.value.id);
  return null;
}
