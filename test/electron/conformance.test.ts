import { join } from "node:path";
import type { Page } from "playwright-core";
import { build } from "vite";
import { createBridgeClient } from "#shared/bridge/client.ts";
import { pack, unpack } from "#shared/bridge/transport/pack.ts";
import type { ToWindow, WindowChannel } from "#shared/bridge/transport/protocol.ts";
import { describeBridge, type OpenBridge, type OpenWindow } from "../bridge/conformance.ts";
import { openStandin, type Standin, standinMissing } from "../electron-standin/driver.ts";
import { desktopMain } from "../support/desktopProgram.ts";

// The complete path in the built desktop shell: the isolated preload of a page, the main process, the process of the
// core, and the port between page and core. Only the application in the page is replaced by the calls of the test.

const root = join(import.meta.dirname, "..", "..");
describeBridge("Electron's stand-in", open, standinMissing());

async function open(dataFolder: string): Promise<OpenBridge> {
  const relay = await relayScript();
  const standin = await openStandin({ main: await desktopMain(), dataFolder });
  const usedPages = new Set<Page>();
  const nextWindow = async (): Promise<OpenWindow> => {
    const page = await unusedPage(standin, usedPages);
    usedPages.add(page);
    return { bridge: await bridgeOf(page, relay), close: () => page.close() };
  };
  const first = await nextWindow();
  return {
    ...first,
    async openWindow() {
      await first.bridge.system.newWindow({});
      return nextWindow();
    },
    close: async () => void (await standin.quit()),
  };
}

async function unusedPage(standin: Standin, usedPages: ReadonlySet<Page>): Promise<Page> {
  for (;;) {
    const page = (await standin.windows()).find((each) => !usedPages.has(each));
    if (page) return page;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** A client of the contract whose messages go through a page. */
async function bridgeOf(page: Page, relay: string): Promise<OpenWindow["bridge"]> {
  await page.route("**/*.js", (route) => route.abort());
  await page.reload();
  const test: { listener: ((message: ToWindow) => void) | null } = { listener: null };
  await page.exposeFunction("fromCore", (base64: string) => test.listener?.(unpack(bytesOf(base64)) as ToWindow));
  await page.evaluate(`${relay}\nrelay.openRelay()`);
  const channel: WindowChannel = {
    send(message) {
      const base64 = Buffer.from(pack(message)).toString("base64");
      void page.evaluate(`toCore("${base64}")`).catch(() => {});
    },
    onMessage: (listener) => void (test.listener = listener),
    onClose: (listener) => void page.once("close", () => listener("The page was closed.")),
    close: () => void page.close(),
  };
  const client = createBridgeClient();
  client.attach(channel);
  return client.bridge;
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(base64, "base64"));
}

/** `pageRelay.ts` as a script that a page can run. */
async function relayScript(): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: "error",
    resolve: { alias: { "#shared": join(root, "src", "shared") } },
    build: {
      write: false,
      lib: { entry: join(import.meta.dirname, "pageRelay.ts"), formats: ["iife"], name: "relay" },
    },
  });
  const [output] = Array.isArray(built) ? built : [built];
  if (!output || !("output" in output)) throw new Error("The relay was not built.");
  return output.output[0].code;
}
