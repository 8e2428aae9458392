import { startService } from "#service/index.ts";
import { ORGANIZATIONS } from "./organizations.ts";

// A service in a separate process, for tests of its memory. Sends its address, then its resident memory in bytes for
// each message (after garbage collection, if Node allows it).

const service = await startService({ organizations: ORGANIZATIONS });
process.on("message", () => {
  globalThis.gc?.();
  process.send!({ residentBytes: process.memoryUsage().rss });
});
process.send!({ url: service.url });
