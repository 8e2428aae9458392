import type { RebuiltCache } from "#shared/bridge/methods/cache.ts";
import type { AppFault } from "#shared/fault.ts";
import type { Result } from "#shared/service/error.ts";
import { bridge } from "../../bridge/index.ts";
import { reopenConnection } from "../../stores/connection.ts";
import { count, many } from "../../ui/text.ts";

/** Moves a damaged cache to quarantine, creates a new one with its intact data, and reopens the connection. */
export async function rebuild(connectionId: string, workId: string): Promise<Result<RebuiltCache, AppFault>> {
  const answer = await bridge.cache.rebuild({ connectionId, workId });
  if (answer.ok) await reopenConnection();
  return answer;
}

/** Describes the result of a rebuild. */
export function rebuiltText({ quarantinedPath, rows, lostRows }: RebuiltCache): string {
  if (quarantinedPath === null) return "The cache was reopened and is intact.";
  if (rows === 0)
    return `Nothing in the damaged file could be read. A new cache was created. Fetch the data you need again. The damaged file is at ${quarantinedPath}.`;
  const lost =
    lostRows === null
      ? "The number of lost rows is unknown."
      : lostRows === 0
        ? "No rows were lost."
        : `${many(lostRows, "row")} could not be read; they are marked “not downloaded” and can be fetched again.`;
  return `A new cache was created with ${count(rows)} intact rows of the damaged one. ${lost} The damaged file is at ${quarantinedPath} and can be deleted.`;
}
