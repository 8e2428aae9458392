// Compacts the cache of a data folder in a process of its own, and dies at a share: node compactChild.ts <data folder> <share>
import { createApp } from "../../src/main/app.ts";
import { secretStore } from "../app/window.ts";
import { CONNECTION } from "./careFixture.ts";

const app = createApp({
  dataFolder: process.argv[2]!,
  secrets: secretStore(new Map()),
  startDemo: () => Promise.reject(new Error("none")),
});
const connection = await app.connections.open(app.connections.find(CONNECTION)!);
await app.compactCache(connection, {
  onProgress(share) {
    if (share >= Number(process.argv[3])) process.kill(process.pid, "SIGKILL");
  },
  signal: new AbortController().signal,
});
process.exit(0);
