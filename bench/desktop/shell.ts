// The web shell in a process of its own: the core, the page's server and the WebSocket, as `npm start` runs them.
import { PAGE_FOLDER } from "../../src/main/web/pageFolder.ts";
import { startWebShell } from "../../src/main/web/index.ts";

const { dataFolder } = JSON.parse(process.argv[2] ?? "{}") as { readonly dataFolder: string };
const shell = await startWebShell({ dataFolder, pageFolder: PAGE_FOLDER, port: 0 });
process.on("disconnect", () => process.exit(1));
process.send?.({ link: shell.link });
