import { rmSync } from "node:fs";
import { createBridgeClient } from "#shared/bridge/client.ts";
import { keepSocket } from "#renderer/bridge/socketChannel.ts";
import { describeBridge, type OpenWindow } from "../bridge/conformance.ts";
import { openTestShell } from "./shell.ts";

// The complete path: socket of the page, gate, thread of the server, thread of the core.
describeBridge("the web shell", async (dataFolder) => {
  const { shell, pageSocket, secret, folder } = await openTestShell({ dataFolder });
  const given = await secret();
  const open = (): WebSocket => pageSocket(given);
  const openWindow = async (): Promise<OpenWindow> => {
    const client = createBridgeClient();
    const close = keepSocket(client.attach, client.emit, { open });
    return { bridge: client.bridge, close: async () => close() };
  };
  const first = await openWindow();
  return {
    ...first,
    openWindow,
    async close() {
      await first.close();
      await shell.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
});
