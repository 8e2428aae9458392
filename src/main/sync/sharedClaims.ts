import { z } from "zod";
import { variableSchema } from "#shared/service/query.ts";
import { parseStored } from "#shared/storedJson.ts";
import { type Claim, type Claims, createClaims, overlap } from "./claims.ts";
import type { Clock } from "./clock.ts";

/** What other processes see of the claims of one connection. */
export interface SharedBoard {
  take(claim: string, isFree: (others: readonly string[]) => boolean): (() => void) | null;
  version(): number;
}

/** How soon a claim that another process released is noticed. */
const LOOK_MS = 500;

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

/** Claims that hold among all processes that share a data folder. */
export function createSharedClaims(board: SharedBoard, clock: Clock): Claims {
  const own = createClaims();
  const never = new AbortController().signal;
  let ownChange: Promise<void> | null = null;

  /** The shared board first: taking and returning a claim of our own would wake its waiters again and again. */
  function take(entry: Entry, among: () => (() => void) | null): (() => void) | null {
    const giveBack = board.take(JSON.stringify(entry), (others) => others.every((text) => isApart(entry, text)));
    if (!giveBack) return null;
    const free = among();
    if (!free) {
      giveBack();
      return null;
    }
    return () => {
      giveBack();
      free();
    };
  }

  return {
    take: ({ stationIds, variables, range, intervalSeconds, raw }) => {
      const cells = { stationIds, variables, range, intervalSeconds, raw };
      return take({ cells }, () => own.take(cells));
    },
    takeJob: (jobId) => take({ jobId }, () => own.takeJob(jobId)),
    changed() {
      ownChange ??= own.changed().then(() => void (ownChange = null));
      return Promise.race([ownChange, clock.sleep(LOOK_MS, never)]);
    },
    foreign: () => board.version(),
  };
}

/**
 * Whether a claim does not overlap with another process's. A claim of unknown form, from a newer version, overlaps with
 * nothing.
 */
function isApart(entry: Entry, text: string): boolean {
  const other = parseStored(entrySchema, text);
  if (other === null) return true;
  if ("jobId" in entry) return !("jobId" in other) || entry.jobId !== other.jobId;
  return !("cells" in other) || !overlap(entry.cells, other.cells);
}
