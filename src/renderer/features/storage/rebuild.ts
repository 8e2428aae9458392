import type { RebuiltCache } from "#shared/bridge/cache.ts";
import type { AppFault } from "#shared/fault.ts";
import type { Result } from "#shared/service/error.ts";
import { bridge } from "../../bridge/index.ts";
import { reopenConnection } from "../../stores/connection.ts";
import { count, many } from "../../ui/text.ts";

/** Puts a damaged cache aside and begins a new one with what is sound in it; the window goes on with that. */
export async function rebuild(connectionId: string, workId: string): Promise<Result<RebuiltCache, AppFault>> {
  const answer = await bridge.cache.rebuild({ connectionId, workId });
  if (answer.ok) await reopenConnection();
  return answer;
}

/** What came of it. */
export function rebuiltText({ quarantinedPath, rows, lostRows }: RebuiltCache): string {
  if (quarantinedPath === null) return "The cache was opened anew, and is sound.";
  if (rows === 0)
    return `Nothing in the damaged file could be read. A new cache was begun: fetch again what you need. The damaged file lies at ${quarantinedPath}.`;
  const lost =
    lostRows === null
      ? "How many are lost cannot be told."
      : lostRows === 0
        ? "No row is lost."
        : `${many(lostRows, "row")} could not be read: they show as “not downloaded” and can be fetched again.`;
  return `A new cache was begun with ${count(rows)} sound rows of the damaged one. ${lost} The damaged file lies at ${quarantinedPath} and may be deleted.`;
}
