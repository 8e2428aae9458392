import { once } from "node:events";
import { WebSocket, WebSocketServer } from "ws";
import { createBridgeClient } from "#shared/bridge/client.ts";
import { openApp } from "./app.ts";
import { byteChannel } from "./byteChannel.ts";
import { describeBridge, type OpenWindow } from "./conformance.ts";

describeBridge("packed bytes on a WebSocket", async (dataFolder) => {
  const app = openApp(dataFolder);
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  server.on("connection", (socket) => app.serve(byteChannel(socket), null));
  await once(server, "listening");
  const { port } = server.address() as { readonly port: number };
  const openWindow = async (): Promise<OpenWindow> => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}`);
    const client = createBridgeClient();
    client.attach(byteChannel(socket));
    await once(socket, "open");
    return {
      bridge: client.bridge,
      async close() {
        const gone = once(socket, "close");
        socket.close();
        await gone;
      },
    };
  };
  const first = await openWindow();
  return {
    ...first,
    openWindow,
    async close() {
      await first.close();
      server.close();
      await app.close();
    },
  };
});
