import { once } from "node:events";
import { MessageChannel, Worker } from "node:worker_threads";
import { createBridgeClient } from "#shared/bridge/client.ts";
import { portChannel } from "#shared/bridge/transport/port.ts";
import { describeBridge, type OpenWindow } from "./conformance.ts";

describeBridge("MessagePorts between two threads", async (dataFolder) => {
  const core = new Worker(new URL("./coreThread.ts", import.meta.url), { workerData: { dataFolder } });
  await once(core, "message");
  const openWindow = async (): Promise<OpenWindow> => {
    const { port1, port2 } = new MessageChannel();
    core.postMessage(port2, [port2]);
    const client = createBridgeClient();
    client.attach(portChannel(port1, { transfer: true }));
    return { bridge: client.bridge, close: async () => port1.close() };
  };
  const first = await openWindow();
  return {
    ...first,
    openWindow,
    async close() {
      await first.close();
      const gone = once(core, "exit");
      core.postMessage("close");
      await gone;
    },
  };
});
