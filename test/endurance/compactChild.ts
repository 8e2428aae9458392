// Compacts the cache of a data folder in a separate process, which kills itself at a share: node compactChild.ts <data
// folder> <share>
import { createBuiltApp } from "../support/builtCore.ts";
import { CONNECTION } from "./maintenanceFixture.ts";

const app = await createBuiltApp(process.argv[2]!);
const connection = await app.connections.open(app.connections.find(CONNECTION)!);
await app.cacheMaintenance.compact(connection, {
  onProgress(share) {
    if (share >= Number(process.argv[3])) process.kill(process.pid, "SIGKILL");
  },
  signal: new AbortController().signal,
});
process.exit(0);
