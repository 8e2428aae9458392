// npm run dev: the page with hot reload, over a core with the demo connected. Builds nothing.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { createServer, type ProxyOptions } from "vite";
import { createBridgeClient } from "#shared/bridge/client.ts";
import { channelPair } from "#shared/bridge/transport/protocol.ts";
import { SHELL_PATH, UPLOAD_PATH } from "#shared/bridge/transport/webShell.ts";
import { createApp } from "#main/app.ts";
import { createFileSecrets } from "#main/secrets.ts";
import { openBrowser } from "#main/cli/browser.ts";
import { DOWNLOAD_PATH } from "#main/web/desktop.ts";
import { SOCKET_PATH } from "#main/web/gate.ts";
import { startWebShell } from "#main/web/index.ts";
import { writeCssTypes } from "./cssTypes.ts";

const root = join(import.meta.dirname, "..");
const { values } = parseArgs({
  options: { "data-folder": { type: "string" }, "no-open": { type: "boolean", default: false } },
});
const dataFolder = values["data-folder"] ?? join(root, "node_modules", ".dev-data");

/** Makes the demo the connection that the window opens first. */
async function connectDemo(): Promise<void> {
  const app = createApp({
    dataFolder,
    secrets: createFileSecrets(join(dataFolder, "keys")),
    startDemo: () => Promise.reject(new Error("The demo starts with the window.")),
  });
  const { bridge, attach } = createBridgeClient();
  const { window, core } = channelPair();
  app.serve(core, null);
  attach(window);
  const saved = await bridge.settings.write({ lastConnectionId: app.connections.demo().id });
  if (!saved.ok) throw new Error(saved.error.message);
  await app.close();
}

mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
await connectDemo();
const shell = await startWebShell({ dataFolder, pageFolder: join(root, "src", "renderer"), port: 0 });
// The shell answers only its own page, so requests from the development server's page are forwarded with its origin.
const forwarded: ProxyOptions = {
  target: shell.origin,
  changeOrigin: true,
  ws: true,
  configure(proxy) {
    proxy.on("proxyReq", (request) => request.setHeader("origin", shell.origin));
    proxy.on("proxyReqWs", (request) => request.setHeader("origin", shell.origin));
  },
};
const server = await createServer({
  configFile: false,
  root: join(root, "src", "renderer"),
  cacheDir: join(root, "node_modules", ".vite-dev"),
  plugins: [
    react(),
    tailwindcss(),
    // Only a build collects the texts of the licences.
    {
      name: "licences",
      resolveId: (id) => (id === "virtual:licences" ? `\0${id}` : null),
      load: (id) => (id === "\0virtual:licences" ? 'export default "Licences are gathered by a build.";' : null),
    },
  ],
  resolve: { alias: { "#shared": join(root, "src", "shared") } },
  server: {
    host: "127.0.0.1",
    fs: { allow: [root] },
    // Patterns, because the page has a folder with the name of the socket.
    proxy: Object.fromEntries(
      [`^${SHELL_PATH}`, `^${SOCKET_PATH}$`, `^${UPLOAD_PATH}`, `^${DOWNLOAD_PATH}`].map((path) => [path, forwarded]),
    ),
  },
});
server.watcher.on("change", (file) => {
  if (file.endsWith(".module.css")) writeCssTypes();
});
await server.listen();
await shell.ready;
const address = server.resolvedUrls?.local[0] ?? "";
const link = `${address}${new URL(shell.newLink()).hash}`;
console.log(`The window, with hot reload: ${link}\nThe link signs one browser in, once. Ctrl+C stops it.`);
if (!values["no-open"] && process.stdout.isTTY) openBrowser(link, dataFolder);

for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => void Promise.all([server.close(), shell.close()]).then(() => process.exit(0)));
