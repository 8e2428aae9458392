import { z } from "zod";
import { variableSchema } from "#shared/service/query.ts";
import { parseStored } from "#shared/storedJson.ts";
import { type Claim, type Claims, createClaims, type HeldClaim, overlap } from "./claims.ts";
import type { Clock } from "./clock.ts";

/** The claims of one connection that all processes of a data folder see. */
interface SharedClaimStore {
  take(claim: string, isFree: (others: readonly string[]) => boolean): HeldClaim | null;
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
  const never = new AbortController().signal;
  let ownRelease: Promise<void> | null = null;

  /** The shared store first: taking and releasing a claim of this process would wake its waiters again and again. */
  function take(entry: Entry, takeOwn: () => (() => void) | null): HeldClaim | null {
    const shared = store.take(JSON.stringify(entry), (others) => others.every((text) => isDisjoint(entry, text)));
    if (!shared) return null;
    const releaseOwn = takeOwn();
    if (!releaseOwn) {
      shared.release();
      return null;
    }
    return {
      release() {
        shared.release();
        releaseOwn();
      },
      isHeld: shared.isHeld,
    };
  }

  return {
    claim: ({ stationIds, variables, range, intervalSeconds, raw }) => {
      const cells = { stationIds, variables, range, intervalSeconds, raw };
      return take({ cells }, () => own.claim(cells)?.release ?? null);
    },
    claimJob: (jobId) => take({ jobId }, () => own.claimJob(jobId))?.release ?? null,
    released() {
      ownRelease ??= own.released().then(() => void (ownRelease = null));
      return Promise.race([ownRelease, clock.sleep(POLL_MS, never)]);
    },
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
  return !("cells" in other) || !overlap(entry.cells, other.cells);
}
