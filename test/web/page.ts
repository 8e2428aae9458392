import type { Bridge } from "#shared/bridge/contract.ts";
import { createBridgeClient } from "#shared/bridge/client.ts";
import { keepSocket } from "#renderer/bridge/socketChannel.ts";
import { atEnd } from "../support/atEnd.ts";
import { openTestShell, type TestShell } from "./shell.ts";

/** Opens a web shell that is closed after the test, file or suite. */
export async function webShell(options: Parameters<typeof openTestShell>[0] = {}): Promise<TestShell> {
  const test = await openTestShell(options);
  atEnd(() => test.close());
  return test;
}

/** The bridge of a page of the shell, which is closed before the shell. */
export function pageBridge(
  test: TestShell,
  secret: string,
  options: Partial<Parameters<typeof keepSocket>[2]> = {},
): Bridge {
  const { bridge, attach, emit } = createBridgeClient();
  atEnd(keepSocket(attach, emit, { open: () => test.pageSocket(secret), ...options }));
  return bridge;
}
