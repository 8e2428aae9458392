import { create } from "zustand";
import type { ExportTask } from "#shared/bridge/methods/export.ts";
import type { Job } from "#shared/bridge/methods/jobs.ts";
import type { AppFault } from "#shared/fault.ts";
import type { Result } from "#shared/service/error.ts";
import { bridge } from "../bridge/index.ts";
import { showFault } from "./toasts.ts";
import { undoable } from "./undo.ts";

/** Downloads and exports, newest first, as the core tells them. */
export const useWork = create<{ readonly jobs: readonly Job[]; readonly exports: readonly ExportTask[] }>(() => ({
  jobs: [],
  exports: [],
}));

/** Taken off the list, but not for good yet. */
const leaving = new Set<string>();

/** With the item in its place where it is known, else in front. */
function withItem<T extends { readonly id: string }>(items: readonly T[], item: T): readonly T[] {
  if (leaving.has(item.id)) return items;
  return items.some((i) => i.id === item.id) ? items.map((i) => (i.id === item.id ? item : i)) : [item, ...items];
}

export async function followWork(): Promise<void> {
  bridge.on("jobChanged", (job) => useWork.setState((s) => ({ jobs: withItem(s.jobs, job) })));
  bridge.on("jobRemoved", ({ jobId }) => useWork.setState((s) => ({ jobs: s.jobs.filter((j) => j.id !== jobId) })));
  bridge.on("exportChanged", (task) => useWork.setState((s) => ({ exports: withItem(s.exports, task) })));
  bridge.on("exportRemoved", ({ exportId }) =>
    useWork.setState((s) => ({ exports: s.exports.filter((e) => e.id !== exportId) })),
  );
  bridge.on("engineRestarted", () => void loadWork());
  await loadWork();
}

async function loadWork(): Promise<void> {
  // Each as it comes: what is told of one list while the other is still awaited must not be lost.
  await Promise.all([loadJobs(), loadExports()]);
}

async function loadJobs(): Promise<void> {
  const jobs = await bridge.jobs.list({});
  if (jobs.ok) useWork.setState({ jobs: jobs.value.filter((j) => !leaving.has(j.id)) });
}

async function loadExports(): Promise<void> {
  const exports = await bridge.export.list({});
  if (exports.ok) useWork.setState({ exports: exports.value.filter((e) => !leaving.has(e.id)) });
}

/** Takes a download off the list; for a while it can be taken back. */
export function removeJob({ id }: Job): void {
  useWork.setState((s) => ({ jobs: s.jobs.filter((j) => j.id !== id) }));
  takeOff(id, "The download was removed from the list. Its data stay in the cache.", () =>
    bridge.jobs.remove({ jobId: id }),
  );
}

/** Takes an export off the list; for a while it can be taken back. */
export function removeExport({ id }: ExportTask): void {
  useWork.setState((s) => ({ exports: s.exports.filter((e) => e.id !== id) }));
  takeOff(id, "The export was removed from the list.", () => bridge.export.remove({ exportId: id }));
}

/** Takes all exports of a connection that have ended off the list; for a while they can be taken back. Their files stay. */
export function removeEndedExports(connectionId: string): void {
  const ended = endedExports(useWork.getState().exports, connectionId);
  const ids = new Set(ended.map(({ id }) => id));
  for (const id of ids) leaving.add(id);
  useWork.setState((s) => ({ exports: s.exports.filter(({ id }) => !ids.has(id)) }));
  const stay = (): void => {
    for (const id of ids) leaving.delete(id);
    void loadWork();
  };
  undoable({
    text: `${ids.size === 1 ? "1 export is" : `${ids.size} exports are`} off the list.`,
    async commit() {
      const answers = await Promise.all([...ids].map((exportId) => bridge.export.remove({ exportId })));
      for (const answer of answers) if (!answer.ok) showFault(answer.error);
      stay();
    },
    undo: stay,
  });
}

/** Exports of a connection that are no longer under way. */
export function endedExports(all: readonly ExportTask[], connectionId: string): readonly ExportTask[] {
  return all.filter((task) => task.connectionId === connectionId && task.state !== "running");
}

function takeOff(id: string, text: string, remove: () => Promise<Result<null, AppFault>>): void {
  leaving.add(id);
  undoable({
    text,
    async commit() {
      const answer = await remove();
      leaving.delete(id);
      if (answer.ok) return;
      showFault(answer.error);
      await loadWork();
    },
    undo() {
      leaving.delete(id);
      void loadWork();
    },
  });
}
