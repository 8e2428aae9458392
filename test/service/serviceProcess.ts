import { startService } from "#service/index.ts";
import { ORGANIZATIONS } from "./organizations.ts";

// A service in a process of its own, for tests that look at its memory. Tells its address, then its resident memory in
// bytes (with garbage collected, where Node lets it) as often as it is asked.

const service = await startService({ organizations: ORGANIZATIONS });
process.on("message", () => {
  globalThis.gc?.();
  process.send!({ residentBytes: process.memoryUsage().rss });
});
process.send!({ url: service.url });
