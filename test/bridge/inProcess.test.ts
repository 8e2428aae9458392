import { channelPair } from "#shared/bridge/transport/protocol.ts";
import { createBridgeClient } from "#shared/bridge/client.ts";
import { openApp } from "./app.ts";
import { describeBridge, type OpenWindow } from "./conformance.ts";

describeBridge("direct calls", async (dataFolder) => {
  const app = openApp(dataFolder);
  const openWindow = async (): Promise<OpenWindow> => {
    const { window, core } = channelPair();
    const client = createBridgeClient();
    app.serve(core, null);
    client.attach(window);
    return { bridge: client.bridge, close: async () => window.close() };
  };
  const first = await openWindow();
  return {
    ...first,
    openWindow,
    async close() {
      await first.close();
      await app.close();
    },
  };
});
