// The web shell in a separate process: the core, the page's server and the WebSocket, as an installed
// program runs them: bundled.
import { BUILT } from "#main/web/built.ts";
import type { startWebShell } from "#main/web/index.ts";
import { BUNDLED_SHELL } from "../../scripts/build.ts";

const { dataFolder } = JSON.parse(process.argv[2] ?? "{}") as { readonly dataFolder: string };
const bundle = (await import(BUNDLED_SHELL)) as { readonly startWebShell: typeof startWebShell };
const shell = await bundle.startWebShell({ dataFolder, ...BUILT, port: 0 });
process.on("disconnect", () => process.exit(1));
// Closes in order, like Ctrl+C: otherwise the next start would check the cache, and would lack this one's compiled code.
process.once("SIGTERM", () => void shell.close().then(() => process.exit(0)));
process.send?.({ link: shell.newLink(), pid: process.pid });
