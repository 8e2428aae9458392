// A web shell in a separate process with one window on the connection “main”: node windowChild.ts <data folder> <ms to
// run>
import { setTimeout as delay } from "node:timers/promises";
import { createBridgeClient } from "#shared/bridge/client.ts";
import { keepSocket } from "#renderer/bridge/socketChannel.ts";
import { openTestShell } from "../web/shell.ts";

const [dataFolder = "", stays = "0"] = process.argv.slice(2);

/** Makes the calls of a starting window. Returns the message of a fault, marked as “core” for internal errors. */
async function look(): Promise<string | null> {
  const test = await openTestShell({ dataFolder });
  const secret = await test.secret();
  const { bridge, attach, emit } = createBridgeClient();
  const end = keepSocket(attach, emit, { open: () => test.pageSocket(secret) });
  try {
    const listed = await bridge.connections.list({});
    if (!listed.ok) return listed.error.kind === "core" ? `core: ${listed.error.message}` : listed.error.message;
    const main = listed.value.find(({ name }) => name === "main");
    if (main === undefined) return null;
    const opened = await bridge.connections.open({ connectionId: main.id });
    if (!opened.ok) return opened.error.kind === "core" ? `core: ${opened.error.message}` : opened.error.message;
    await delay(Number(stays));
    return null;
  } finally {
    end();
    await test.shell.close();
  }
}

try {
  const fault = await look();
  if (fault !== null) process.stderr.write(`${fault}\n`);
  process.exitCode = fault === null ? 0 : fault.startsWith("core") ? 1 : 6;
} catch (thrown) {
  process.stderr.write(`${thrown instanceof Error ? thrown.message : String(thrown)}\n`);
  process.exitCode = thrown instanceof Error && thrown.name === "StoreError" ? 6 : 1;
}
