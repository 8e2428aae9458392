import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { BUILT } from "#main/web/built.ts";
import type { startWebShell as StartWebShell } from "#main/web/index.ts";

// The built web shell in a separate process, which the harness can kill; it receives messages over the process channel.
const bundle = pathToFileURL(join(dirname(BUILT.coreFile), "web-shell.js")).href;
const { startWebShell } = (await import(bundle)) as { readonly startWebShell: typeof StartWebShell };
const shell = await startWebShell({ dataFolder: process.argv[2] ?? "", ...BUILT, port: 0 });
process.on("message", (order) => {
  if (order === "killCore") void shell.killCore().then(() => process.send?.("killed"));
  if (order === "close") void shell.close().then(() => process.exit(0));
});
// Ends with the test that started it.
process.on("disconnect", () => process.exit(1));
process.send?.({ link: shell.newLink(), origin: shell.origin });
