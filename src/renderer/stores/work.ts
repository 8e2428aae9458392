import { useEffect, useState } from "react";
import { create } from "zustand";
import type { ExportTask } from "#shared/bridge/methods/export.ts";
import type { Job } from "#shared/bridge/methods/jobs.ts";
import type { AppFault } from "#shared/fault.ts";
import type { Result } from "#shared/service/error.ts";
import type { Variable } from "#shared/service/variables.ts";
import { many } from "#shared/text.ts";
import { bridge } from "../bridge/index.ts";
import { orShowFault, undoable } from "./toasts.ts";
import { useConnectionId } from "./connection.ts";

/** Downloads and exports as reported by the core, newest first. */
export const useWork = create<{ readonly jobs: readonly Job[]; readonly exports: readonly ExportTask[] }>(() => ({
  jobs: [],
  exports: [],
}));

/** Whether the open connection has such a download. */
export function useSomeJob(isSuch: (job: Job) => boolean): boolean {
  const connectionId = useConnectionId();
  return useWork(({ jobs }) => jobs.some((job) => job.connectionId === connectionId && isSuch(job)));
}

/** Whether a download of any of these stations is running or waits for its turn. @param variable null: of any variable */
export function useIsFetching(stationIds: readonly string[], variable: Variable | null = null): boolean {
  return useSomeJob((job) => isFetching(job, stationIds, variable));
}

export function isFetching({ state, spec }: Job, stationIds: readonly string[], variable: Variable | null): boolean {
  if (state !== "running" && state !== "queued") return false;
  return (
    (variable === null || spec.variables.includes(variable)) && spec.stationIds.some((id) => stationIds.includes(id))
  );
}

/** Downloads and exports whose removal can still be undone. */
const pendingRemoval = new Set<string>();

/** Replaces an item of the list, or adds it in front. */
function withItem<T extends { readonly id: string }>(items: readonly T[], item: T): readonly T[] {
  if (pendingRemoval.has(item.id)) return items;
  return items.some((i) => i.id === item.id) ? items.map((i) => (i.id === item.id ? item : i)) : [item, ...items];
}

export async function followWork(): Promise<void> {
  bridge.on("jobChanged", (job) => useWork.setState((s) => ({ jobs: withItem(s.jobs, job) })));
  bridge.on("jobRemoved", ({ jobId }) => useWork.setState((s) => ({ jobs: s.jobs.filter((j) => j.id !== jobId) })));
  bridge.on("exportChanged", (task) => useWork.setState((s) => ({ exports: withItem(s.exports, task) })));
  bridge.on("exportRemoved", ({ exportId }) =>
    useWork.setState((s) => ({ exports: s.exports.filter((e) => e.id !== exportId) })),
  );
  bridge.on("coreRestarted", () => void loadWork());
  await loadWork();
}

async function loadWork(): Promise<void> {
  // Each list is set as soon as it arrives, so that no event is lost while waiting for the other.
  await Promise.all([loadJobs(), loadExports()]);
}

async function loadJobs(): Promise<void> {
  const jobs = await bridge.jobs.list({});
  if (jobs.ok) useWork.setState({ jobs: jobs.value.filter((j) => !pendingRemoval.has(j.id)) });
}

async function loadExports(): Promise<void> {
  const exports = await bridge.export.list({});
  if (exports.ok) useWork.setState({ exports: exports.value.filter((e) => !pendingRemoval.has(e.id)) });
}

/** Removes a download from the list; the removal can be undone for a while. */
export function removeJob({ id }: Job): void {
  const text = "The download will be removed from the list. Its data remain in the cache.";
  useWork.setState((s) => ({ jobs: s.jobs.filter((j) => j.id !== id) }));
  removeUndoably([id], text, (jobId) => bridge.jobs.remove({ jobId }));
}

/** Removes an export from the list; the removal can be undone for a while. */
export function removeExport({ id }: ExportTask): void {
  removeExports([id], "The export will be removed from the list.");
}

/** Removes all ended exports of a connection from the list, but not their files; the removal can be undone for a while. */
export function removeEndedExports(connectionId: string): void {
  const ids = endedExports(useWork.getState().exports, connectionId).map(({ id }) => id);
  removeExports(ids, `${many(ids.length, "export")} will be removed from the list.`);
}

function removeExports(ids: readonly string[], text: string): void {
  useWork.setState((s) => ({ exports: s.exports.filter(({ id }) => !ids.includes(id)) }));
  removeUndoably(ids, text, (exportId) => bridge.export.remove({ exportId }));
}

/** Returns the exports of a connection that are no longer running. */
export function endedExports(all: readonly ExportTask[], connectionId: string): readonly ExportTask[] {
  return all.filter((task) => task.connectionId === connectionId && task.state !== "running");
}

function removeUndoably(
  ids: readonly string[],
  text: string,
  remove: (id: string) => Promise<Result<null, AppFault>>,
): void {
  for (const id of ids) pendingRemoval.add(id);
  const reload = (): void => {
    for (const id of ids) pendingRemoval.delete(id);
    void loadWork();
  };
  undoable({
    text,
    async commit() {
      await Promise.all(ids.map((id) => orShowFault(remove(id))));
      reload();
    },
    undo: reload,
  });
}

/** Returns an id under which the core reports the progress of work. Pages of other computers have no `randomUUID`. */
export function newWorkId(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join("-");
}

/** Returns the progress, 0 to 1, of work that was started with an id of ours; null until it is reported. */
export function useWorkProgress(workId: string | null): number | null {
  const [progress, setProgress] = useState<{ readonly workId: string; readonly share: number } | null>(null);
  useEffect(
    () =>
      workId === null
        ? undefined
        : bridge.on("workProgress", (reported) => {
            if (reported.workId === workId) setProgress(reported);
          }),
    [workId],
  );
  return progress?.workId === workId ? progress.share : null;
}
