import { readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import type { JobSpec } from "#shared/job/job.ts";
import { NO_CHANGES, type RefreshReport, refreshReport } from "#shared/job/refresh.ts";
import type { ReceivedRows, SeriesRows } from "#shared/series/rows.ts";
import { parseStored } from "#shared/storedJson.ts";
import { intersectRange, isEmpty } from "#shared/time/range.ts";
import { intersect, rangeSet } from "#shared/time/rangeset.ts";
import { type Cache, openCache, removeDatabase, type UserStore } from "../../store/index.ts";
import { ChangeCounter, joinReports, type RefreshedPart, refreshedParts } from "../../sync/refreshChanges.ts";
import { refreshSession } from "../../sync/refreshSession.ts";
import type { Session } from "../../sync/session.ts";
import { createPace } from "../pacing.ts";

// A refresh downloads into a file of its own, so that the cache keeps its data until all of the new ones are there. The
// file belongs to the job: after a stop or a kill, the job continues with it. Then the cache takes over what differs.

/** A running refresh. */
export interface Refresh {
  /** Downloads into the file of the refresh. */
  readonly session: Session;
  /** Completes a transfer that an earlier run began. @throws the reason of the signal; the next run continues */
  resume(signal: AbortSignal): Promise<void>;
  /** Transfers the downloaded data to the cache. @throws as `resume` */
  apply(signal: AbortSignal): Promise<AppliedRefresh>;
  /** Closes the file, and deletes it unless a second response has to confirm something. */
  close(): void;
}

interface AppliedRefresh {
  /** All changes since the refresh began. */
  readonly report: RefreshReport;
  /** Whether the job should run again, once, to confirm that rows are gone. */
  readonly repeats: boolean;
}

const STATE = "refresh";
const storedState = z.object({ report: refreshReport, isApplying: z.boolean(), waits: z.boolean(), runs: z.number() });
type State = z.output<typeof storedState>;
const BEGINNING: State = { report: NO_CHANGES, isApplying: false, waits: false, runs: 0 };

/** With journals and quarantined copies. */
const FILE = /^refresh-([\w-]+)\.db/;

function pathOf(users: Pick<UserStore, "path">, jobId: string): string {
  return join(dirname(users.path), `refresh-${jobId}.db`);
}

/** Deletes the files of refreshes whose jobs were removed. */
export function sweepRefreshes(users: Pick<UserStore, "path" | "job">): void {
  const folder = dirname(users.path);
  try {
    for (const name of readdirSync(folder)) {
      const [, jobId] = FILE.exec(name) ?? [];
      if (jobId !== undefined && users.job(jobId) === null) rmSync(join(folder, name), { force: true });
    }
  } catch {
    // The next start tries again.
  }
}

/**
 * Opens the refresh of a job, whose claim the caller holds.
 *
 * @throws StoreError
 */
export function openRefresh(
  users: Pick<UserStore, "path">,
  session: Session,
  { id, spec }: { readonly id: string; readonly spec: JobSpec },
): Refresh {
  const path = pathOf(users, id);
  const fresh = openCache(path);
  let state = parseStored(storedState, fresh.setting(STATE)) ?? BEGINNING;
  const store = (next: State): void => {
    state = next;
    fresh.setSetting(STATE, JSON.stringify(next));
  };
  const parts = (): Iterable<RefreshedPart> => refreshedParts(session.cache, fresh, spec);

  /** Repeating it after an interruption changes nothing that is done. */
  async function transfer(signal: AbortSignal): Promise<void> {
    const pace = createPace(signal);
    for (const part of parts()) {
      await session.writes.run(() => transferPart(session, spec, part), signal);
      await pace.yieldIfDue();
    }
    store({ ...state, isApplying: false });
  }

  let hasResumed = false;
  /** Only the first run may wait for a second response. */
  const repeats = (): boolean => state.waits && state.runs === 1;
  return {
    session: refreshSession(session, fresh),
    async resume(signal) {
      if (!state.isApplying) return;
      await transfer(signal);
      hasResumed = true;
    },
    async apply(signal) {
      signal.throwIfAborted();
      const counter = new ChangeCounter(session.oldUntilMs());
      const pace = createPace(signal);
      for (const part of parts()) {
        counter.add(part);
        await pace.yieldIfDue();
      }
      const report = joinReports(state.report, counter.report());
      // A run that completes the transfer of an earlier one is the same run.
      const runs = state.runs + (hasResumed ? 0 : 1);
      store({ report, isApplying: true, waits: counter.keptOld() > 0, runs });
      await transfer(signal);
      return { report, repeats: repeats() };
    },
    close() {
      const isDone = state.runs > 0 && !state.isApplying && !repeats();
      fresh.close();
      if (isDone) removeDatabase(path);
    },
  };
}

function transferPart(session: Session, spec: JobSpec, part: RefreshedPart): void {
  const { stationId, range, after, variables } = part;
  const { intervalSeconds, raw } = spec;
  const { cache } = session;
  const names = variables.map(({ variable }) => variable);
  const writer = cache.openResponse({ stationIds: [stationId], variables: names, intervalSeconds, raw, range });
  if (after.timesMs.length > 0) writer.add(receivedRows(stationId, after));
  writer.commit((_, variable) => {
    const { final, provisional } = variables.find((own) => own.variable === variable)!.coverage;
    const inside = provisional.map((extent) => ({ ...extent, range: intersectRange(extent.range, range) }));
    return {
      final: intersect(rangeSet(final), [range]),
      provisional: inside.filter((extent) => !isEmpty(extent.range)),
    };
  });
  removeGone(cache, spec, part);
  session.noteCommit([stationId]);
}

function removeGone(cache: Cache, { intervalSeconds, raw }: JobSpec, { stationId, variables }: RefreshedPart): void {
  for (const { variable, gone } of variables) {
    const hasOld = gone.some(
      (range) => cache.valueTimes({ stationId, variables: [variable], intervalSeconds, raw, range }, false).total > 0,
    );
    if (hasOld) cache.removeValues({ stationId, variable, intervalSeconds, raw }, gone);
  }
}

function receivedRows(stationId: string, { timesMs, columns }: SeriesRows): ReceivedRows {
  const entries = Object.entries(columns);
  const scalars = entries.flatMap(([name, column]) => (column.kind === "scalar" ? [[name, column.values]] : []));
  const texts = entries.flatMap(([name, column]) => (column.kind === "text" ? [[name, [...column.values]]] : []));
  return { stationId, timesMs, scalars: Object.fromEntries(scalars), texts: Object.fromEntries(texts) };
}
