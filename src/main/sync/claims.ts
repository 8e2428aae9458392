import { z } from "zod";
import type { SeriesMode } from "#shared/series/rows.ts";
import { variableSchema } from "#shared/service/query.ts";
import type { Variable } from "#shared/service/variables.ts";
import { parseStored } from "#shared/storedJson.ts";
import { overlap, type TimeRange } from "#shared/time/range.ts";
import type { Clock } from "./clock.ts";

/** The cells of an active request. */
interface Claim extends SeriesMode {
  readonly stationIds: readonly string[];
  readonly variables: readonly Variable[];
  readonly range: TimeRange;
}

/**
 * The cells that each job of a connection is fetching, so that two jobs with overlapping ranges never download the same
 * data. If a cell is claimed by another job, the job waits for that claim to end, then determines again what is missing:
 * the other job may have fetched it, or may have been cancelled.
 */
export interface Claims {
  /** Claims cells, and returns their release; null if an active claim overlaps with them. */
  claim(cells: Claim): (() => void) | null;
  /** Claims a stored job, so that it runs only once at a time, and returns its release; null if it is running. */
  claimJob(jobId: string): (() => void) | null;
  /** Resolves when a claim was released, or may have been. */
  released(): Promise<void>;
  /** A number that changes whenever another process may have fetched something: earlier plans are then stale. */
  foreignVersion(): number;
}

export function createClaims(): Claims {
  const active = new Set<Claim>();
  const jobs = new Set<string>();
  let released = Promise.withResolvers<void>();
  return {
    claim(cells) {
      for (const other of active) if (shareCell(cells, other)) return null;
      active.add(cells);
      return () => {
        active.delete(cells);
        released.resolve();
        released = Promise.withResolvers();
      };
    },
    claimJob(jobId) {
      if (jobs.has(jobId)) return null;
      jobs.add(jobId);
      return () => void jobs.delete(jobId);
    },
    foreignVersion: () => 0,
    released: () => released.promise,
  };
}

/** Whether two claims share a cell. */
function shareCell(a: Claim, b: Claim): boolean {
  return (
    a.raw === b.raw &&
    a.intervalSeconds === b.intervalSeconds &&
    overlap(a.range, b.range) &&
    a.variables.some((v) => b.variables.includes(v)) &&
    a.stationIds.some((s) => b.stationIds.includes(s))
  );
}

/** The claims of one connection that all processes of a data folder see. */
interface SharedClaimStore {
  take(claim: string, isFree: (others: readonly string[]) => boolean): (() => void) | null;
  version(): number;
}

/** Time until a claim that another process released is noticed. */
const POLL_MS = 500;

type Entry = { readonly cells: Claim } | { readonly jobId: string };

const entrySchema: z.ZodType<Entry> = z.union([
  z.object({ jobId: z.string() }),
  z.object({
    cells: z.object({
      stationIds: z.array(z.string()),
      variables: z.array(variableSchema),
      range: z.object({ startMs: z.number(), endMs: z.number() }),
      intervalSeconds: z.number().nullable(),
      raw: z.boolean(),
    }),
  }),
]);

/** Creates claims that hold among all processes that share a data folder. */
export function createSharedClaims(store: SharedClaimStore, clock: Clock): Claims {
  const own = createClaims();
  let ownRelease = new AbortController();

  /** The shared store first: taking and releasing a claim of this process would wake its waiters again and again. */
  function take(entry: Entry, takeOwn: () => (() => void) | null): (() => void) | null {
    const releaseShared = store.take(JSON.stringify(entry), (others) =>
      others.every((text) => isDisjoint(entry, text)),
    );
    if (!releaseShared) return null;
    const releaseOwn = takeOwn();
    if (!releaseOwn) {
      releaseShared();
      return null;
    }
    return () => {
      releaseShared();
      releaseOwn();
      ownRelease.abort();
      ownRelease = new AbortController();
    };
  }

  return {
    claim: ({ stationIds, variables, range, intervalSeconds, raw }) => {
      const cells = { stationIds, variables, range, intervalSeconds, raw };
      return take({ cells }, () => own.claim(cells));
    },
    claimJob: (jobId) => take({ jobId }, () => own.claimJob(jobId)),
    released: () => clock.sleep(POLL_MS, ownRelease.signal),
    foreignVersion: () => store.version(),
  };
}

/**
 * Whether a claim does not overlap with another process's. A claim of unknown form, from a newer version, overlaps with
 * nothing.
 */
function isDisjoint(entry: Entry, text: string): boolean {
  const other = parseStored(entrySchema, text);
  if (other === null) return true;
  if ("jobId" in entry) return !("jobId" in other) || entry.jobId !== other.jobId;
  return !("cells" in other) || !shareCell(entry.cells, other.cells);
}
