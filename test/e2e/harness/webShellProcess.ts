import { BUILT } from "../../../src/main/web/built.ts";
import { startWebShell } from "../../../src/main/web/index.ts";

// The web shell in a separate process, which the harness can kill; it receives messages over the process channel.
const shell = await startWebShell({ dataFolder: process.argv[2] ?? "", ...BUILT, port: 0 });
process.on("message", (order) => {
  if (order === "killCore") void shell.killCore().then(() => process.send?.("killed"));
  if (order === "close") void shell.close().then(() => process.exit(0));
});
// Ends with the test that started it.
process.on("disconnect", () => process.exit(1));
process.send?.({ link: shell.newLink(), origin: shell.origin });
