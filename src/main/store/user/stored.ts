import type { Verdict } from "#shared/job/verdict.ts";
import { log } from "../../log/index.ts";
import { removeNamedOf } from "./namedRecords.ts";
import { assertConnection, type RecordAccess, type Records, soundValue } from "./records.ts";
import type { ConnectionRecord, JobRecord } from "./types.ts";
import { connectionOf, jobOf } from "./userRecords.ts";

export function connectionRecords({ records, read, change, refuse }: RecordAccess) {
  return {
    /** Oldest first, like `jobs`. */
    connections: (): readonly ConnectionRecord[] =>
      read(() => records.all("connection").map(connectionOf).toSorted(byAge)),
    putConnection: (connection: ConnectionRecord) =>
      change(() => {
        const { id, cacheFile } = connection;
        const isTaken = records.all("connection").some((c) => c.id !== id && connectionOf(c).cacheFile === cacheFile);
        if (isTaken) refuse("another connection has the same cache.");
        records.put("connection", id, connection);
      }),
    /** Deletes a connection with its jobs and exports. The caller deletes its cache file. */
    deleteConnection: (id: string) =>
      change(() => {
        records.remove("connection", id);
        for (const job of jobsIn(records)) if (job.connectionId === id) removeJob(records, job.id);
        removeNamedOf(records, id);
      }),
  };
}

export function jobRecords(access: RecordAccess) {
  const { records, read, change } = access;
  const jobFor = (id: string): JobRecord | null => {
    const found = records.get("job", id);
    return found && jobOf(found);
  };
  return {
    jobs: (): readonly JobRecord[] => read(() => jobsIn(records)),
    job: (id: string) => read(() => jobFor(id)),
    /** Returns null before the job first ends, and if the verdicts are damaged. */
    verdicts: (jobId: string) => read(() => soundValue<readonly Verdict[]>(records.get("verdicts", jobId))),
    /** Stores a job and, if given, replaces its verdicts, in one transaction. */
    putJob(job: JobRecord, judged?: readonly Verdict[]): void {
      let before: JobRecord | null = null;
      change(() => {
        assertConnection(access, job.connectionId);
        before = jobFor(job.id);
        records.put("job", job.id, job);
        if (judged !== undefined) records.put("verdicts", job.id, judged);
      });
      if (job.state !== (before as JobRecord | null)?.state) logState(job);
    },
    deleteJobs: (ids: readonly string[]) => change(() => ids.forEach((id) => removeJob(records, id))),
  };
}

/** @param isWritable if false, settings last until the program ends */
export function settingRecords({ records, read, change }: RecordAccess, isWritable: boolean) {
  const unsaved = new Map<string, string | null>();
  return {
    /** Returns a setting of the application; null if it was never set. */
    setting: (name: string) =>
      read(() => (unsaved.has(name) ? (unsaved.get(name) ?? null) : soundValue<string>(records.get("setting", name)))),
    putSetting(name: string, value: string | null): void {
      if (!isWritable) unsaved.set(name, value);
      else change(() => (value === null ? records.remove("setting", name) : records.put("setting", name, value)));
    },
  };
}

function jobsIn(records: Records): JobRecord[] {
  return records.all("job").map(jobOf).toSorted(byAge);
}

function removeJob(records: Records, id: string): void {
  records.remove("job", id);
  records.remove("verdicts", id);
}

/** Logs every change of state of a job, whoever runs it. */
function logState({ id, state, reason }: JobRecord): void {
  const sentence = `job ${id.slice(0, 8)} is ${state}`;
  if (reason === null) log.info(sentence);
  else log.warn(sentence, reason);
}

interface Aged {
  readonly id: string;
  readonly createdAtMs: number;
}

function byAge(a: Aged, b: Aged): number {
  return a.createdAtMs - b.createdAtMs || (a.id < b.id ? -1 : 1);
}
