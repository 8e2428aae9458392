import { readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import type { JobSpec } from "#shared/job/job.ts";
import { NO_CHANGES, type RefreshReport, refreshReport } from "#shared/job/refresh.ts";
import type { ReceivedRows, SeriesRows } from "#shared/series/rows.ts";
import { parseStored } from "#shared/storedJson.ts";
import { intersectRange, isEmpty } from "#shared/time/range.ts";
import { intersect, rangeSet } from "#shared/time/rangeset.ts";
import { type CacheReader, openCache, removeDatabase, type UserStore } from "../../store/index.ts";
import { ChangeCounter, joinReports, type RefreshedPart, refreshedParts } from "../../sync/refreshChanges.ts";
import { answeredCache, refreshSession } from "../../sync/refreshSession.ts";
import type { Session } from "../../sync/session.ts";
import { createPace } from "../pace.ts";

// A refresh downloads into a file of its own, so that the cache keeps its data until all of the new ones are there. The
// file belongs to the job: after a stop or a kill, the job continues with it. Then the cache takes over what differs.

/** A running refresh. */
export interface Refresh {
  /** Downloads into the file of the refresh. */
  readonly session: Session;
  /** The cache, with the coverage of what the service has answered again. */
  readonly answered: CacheReader;
  /** Completes a transfer that an earlier run began. @throws the reason of the signal; the next run continues */
  resume(signal: AbortSignal): Promise<void>;
  /**
   * Transfers the downloaded data to the cache.
   *
   * @returns all changes since the refresh began
   * @throws as `resume`
   */
  apply(signal: AbortSignal): Promise<RefreshReport>;
  /** Closes the file, and deletes it if all of it was transferred. */
  close(): void;
}

const STATE = "refresh";
const storedState = z.object({ report: refreshReport, isApplying: z.boolean() });
type State = z.output<typeof storedState>;
const BEGINNING: State = { report: NO_CHANGES, isApplying: false };

/** With journals and quarantined copies. */
const FILE = /^refresh-([\w-]+)\.db/;

function pathOf(users: Pick<UserStore, "path">, jobId: string): string {
  return join(dirname(users.path), `refresh-${jobId}.db`);
}

/** Deletes the files of refreshes whose jobs were removed, or have finished. */
export function sweepRefreshes(users: Pick<UserStore, "path" | "job">): void {
  const folder = dirname(users.path);
  try {
    for (const name of readdirSync(folder)) {
      const [, jobId] = FILE.exec(name) ?? [];
      if (jobId === undefined) continue;
      const job = users.job(jobId);
      if (job === null || job.state === "finished") rmSync(join(folder, name), { force: true });
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

  let isDone = false;
  return {
    session: refreshSession(session, fresh),
    answered: answeredCache(session.cache, fresh),
    async resume(signal) {
      if (state.isApplying) await transfer(signal);
    },
    async apply(signal) {
      signal.throwIfAborted();
      const counter = new ChangeCounter();
      const pace = createPace(signal);
      for (const part of parts()) {
        counter.add(part);
        await pace.yieldIfDue();
      }
      const report = joinReports(state.report, counter.report());
      store({ report, isApplying: true });
      await transfer(signal);
      isDone = true;
      return report;
    },
    close() {
      fresh.close();
      if (isDone) removeDatabase(path);
    },
  };
}

function transferPart(session: Session, spec: JobSpec, part: RefreshedPart): void {
  const { stationId, range, after, variables } = part;
  const { intervalSeconds, raw } = spec;
  const names = variables.map(({ variable }) => variable);
  const writer = session.cache.openResponse({ stationIds: [stationId], variables: names, intervalSeconds, raw, range });
  if (after.timesMs.length > 0) writer.add(receivedRows(stationId, after));
  writer.commit((_, variable) => {
    const { final, provisional } = variables.find((own) => own.variable === variable)!.coverage;
    const inside = provisional.map((extent) => ({ ...extent, range: intersectRange(extent.range, range) }));
    return {
      final: intersect(rangeSet(final), [range]),
      provisional: inside.filter((extent) => !isEmpty(extent.range)),
    };
  });
  session.noteCommit([stationId]);
}

function receivedRows(stationId: string, { timesMs, columns }: SeriesRows): ReceivedRows {
  const entries = Object.entries(columns);
  const scalars = entries.flatMap(([name, column]) => (column.kind === "scalar" ? [[name, column.values]] : []));
  const texts = entries.flatMap(([name, column]) => (column.kind === "text" ? [[name, [...column.values]]] : []));
  return { stationId, timesMs, scalars: Object.fromEntries(scalars), texts: Object.fromEntries(texts) };
}
