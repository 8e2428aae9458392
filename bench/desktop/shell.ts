// The web shell in a separate process: the core, the page's server and the WebSocket, as `npm start` runs them.
import { BUILT } from "#main/web/built.ts";
import { startWebShell } from "#main/web/index.ts";

const { dataFolder } = JSON.parse(process.argv[2] ?? "{}") as { readonly dataFolder: string };
const shell = await startWebShell({ dataFolder, ...BUILT, port: 0 });
process.on("disconnect", () => process.exit(1));
// Closes in order, like Ctrl+C: otherwise the next start would check the cache, and would lack this one's compiled code.
process.once("SIGTERM", () => void shell.close().then(() => process.exit(0)));
process.send?.({ link: shell.newLink(), pid: process.pid });
