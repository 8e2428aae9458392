import { create } from "zustand";
import type { ExportTask } from "#shared/bridge/export.ts";
import type { Job } from "#shared/bridge/jobs.ts";
import { bridge } from "../bridge/index.ts";

/** Downloads and exports, newest first, as the core tells them. */
export const useWork = create<{ readonly jobs: readonly Job[]; readonly exports: readonly ExportTask[] }>(() => ({
  jobs: [],
  exports: [],
}));

/** With the item in its place where it is known, else in front. */
function withItem<T extends { readonly id: string }>(items: readonly T[], item: T): readonly T[] {
  return items.some((i) => i.id === item.id) ? items.map((i) => (i.id === item.id ? item : i)) : [item, ...items];
}

export async function followWork(): Promise<void> {
  bridge.on("jobChanged", (job) => useWork.setState((s) => ({ jobs: withItem(s.jobs, job) })));
  bridge.on("jobRemoved", ({ jobId }) => useWork.setState((s) => ({ jobs: s.jobs.filter((j) => j.id !== jobId) })));
  bridge.on("exportChanged", (task) => useWork.setState((s) => ({ exports: withItem(s.exports, task) })));
  bridge.on("exportRemoved", ({ exportId }) =>
    useWork.setState((s) => ({ exports: s.exports.filter((e) => e.id !== exportId) })),
  );
  await loadWork();
  bridge.on("engineRestarted", () => void loadWork());
}

async function loadWork(): Promise<void> {
  const [jobs, exports] = await Promise.all([bridge.jobs.list({}), bridge.export.list({})]);
  if (jobs.ok) useWork.setState({ jobs: jobs.value });
  if (exports.ok) useWork.setState({ exports: exports.value });
}
