import { z } from "zod";
import type { Release, ReleaseNews } from "#shared/bridge/methods/releases.ts";
import { type AppFault, usageFault } from "#shared/fault.ts";
import { failure, type Result, success } from "#shared/service/error.ts";
import { parseStored } from "#shared/storedJson.ts";
import { createTransport } from "../client/index.ts";
import { isNewer, newestRelease } from "../client/releases.ts";
import type { Transport } from "../client/types.ts";
import { serviceFault } from "../fault.ts";
import { VERSION } from "../program.ts";
import { FEED_FILE, releaseAddress } from "../releaseFeed.ts";
import type { UserStore } from "../store/types.ts";
import type { Clock } from "../sync/clock.ts";
import { createSettings } from "./settings.ts";

/** How often the feed is asked where nobody asks for it. */
const DAY_MS = 86_400_000;
const KEPT = "releases";

const keptSchema = z.object({
  checkedMs: z.number(),
  release: z
    .object({ version: z.string(), date: z.string().nullable(), notes: z.array(z.string()).readonly() })
    .nullable(),
});
type Kept = z.output<typeof keptSchema>;

/** Whether there is a newer version of this program. */
export async function checkReleases(
  send: Transport | undefined,
  signal: AbortSignal,
): Promise<Result<ReleaseNews, AppFault>> {
  const address = releaseAddress();
  if (address === null) return failure(usageFault("This build does not know where its releases are published."));
  const own = send === undefined ? createTransport() : null;
  try {
    const answer = await newestRelease(new URL(FEED_FILE, address), send ?? own!.send, signal);
    return answer.ok ? success(newsOf(answer.value, address)) : failure(serviceFault(answer.error));
  } finally {
    await own?.close();
  }
}

/** The same for windows: by itself at most once a day, and only where the user switched it on. */
export function createReleaseWatch(
  users: Pick<UserStore, "setting" | "putSetting">,
  send: Transport | undefined,
  clock: Pick<Clock, "wallMs">,
): (isAsked: boolean, signal: AbortSignal) => Promise<Result<ReleaseNews | null, AppFault>> {
  return async (isAsked, signal) => {
    const kept = parseStored(keptSchema, users.setting(KEPT));
    if (!isAsked) {
      if (!createSettings(users).read().checkReleases) return success(null);
      const address = releaseAddress();
      const ageMs = clock.wallMs() - (kept?.checkedMs ?? -Infinity);
      // A clock that was put back makes no check come every time.
      if (address === null || (ageMs >= 0 && ageMs < DAY_MS))
        return success(address && kept && newsOf(kept.release, address));
    }
    const answer = await checkReleases(send, signal);
    // A feed that is out of reach is not asked again with every window.
    const release = answer.ok ? answer.value.newer : (kept?.release ?? null);
    users.putSetting(KEPT, JSON.stringify({ checkedMs: clock.wallMs(), release } satisfies Kept));
    return answer;
  };
}

function newsOf(release: Release | null, address: URL): ReleaseNews {
  return { newer: release && isNewer(release.version, VERSION) ? release : null, address: address.href };
}
