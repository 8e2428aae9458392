import { spawnSync } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import type { Worker } from "node:worker_threads";
import { expect, it } from "vitest";
import { openCache } from "#main/store/index.ts";
import { runInThread } from "#main/store/thread/thread.ts";
import { temporaryFolders } from "../support/folder.ts";
import { itUnless, WINDOWS_LACKS } from "../support/needs.ts";

const folder = temporaryFolders()();

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
  const checking = runInThread({ work: "check", path }, { signal: stop.signal, onProgress() {} });
  stop.abort();
  await expect(checking).rejects.toThrow(/abort/);
  // The thread may report the abort in between.
  expect(seen.filter((kind) => kind !== "stopped")).toEqual(["ready", "terminate"]);
});

itUnless(WINDOWS_LACKS, "a check ends at once when it is aborted, even if SQLite is blocked", async () => {
  // Opening a pipe blocks until another process writes to it.
  const pipe = join(folder, "pipe");
  expect(spawnSync("mkfifo", [pipe]).status).toBe(0);
  const stop = new AbortController();
  const checked = runInThread({ work: "check", path: pipe }, { onProgress: () => {}, signal: stop.signal });
  setTimeout(() => stop.abort(new Error("stopped")), 500);
  await expect(checked).rejects.toThrow("stopped");
  closeSync(openSync(pipe, "r+"));
});
