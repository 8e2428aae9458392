import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Worker } from "node:worker_threads";
import { afterAll, expect, it } from "vitest";
import { openCache } from "#main/store/index.ts";
import { runInThread } from "#main/store/thread/thread.ts";

const folder = mkdtempSync(join(tmpdir(), "zenith-thread-end-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("an aborted check ends its thread only after SQLite is loaded, because earlier it would end the process", async () => {
  const path = join(folder, "cache.db");
  openCache(path).close();
  const seen: string[] = [];
  process.once("worker", (worker: Worker) => {
    worker.on("message", (message: { readonly kind: string }) => seen.push(message.kind));
    const terminate = worker.terminate.bind(worker);
    worker.terminate = () => {
      seen.push("terminate");
      return terminate();
    };
  });
  const stop = new AbortController();
  const checking = runInThread("check", path, { signal: stop.signal, onProgress() {} });
  stop.abort();
  await expect(checking).rejects.toThrow(/abort/);
  // The thread may report the abort in between.
  expect(seen.filter((kind) => kind !== "stopped")).toEqual(["ready", "terminate"]);
});
