import { z } from "zod";
import type { Release, ReleaseNews } from "#shared/bridge/methods/settings.ts";
import { type AppFault, usageFailure } from "#shared/fault.ts";
import { failure, type Result, success } from "#shared/service/error.ts";
import { parseStored } from "#shared/storedJson.ts";
import { createTransport, isLoopback } from "../client/index.ts";
import { isNewer, newestRelease } from "../client/otherServers.ts";
import type { Transport } from "../client/types.ts";
import { serviceFault } from "../fault.ts";
import { FEED_FILE, RELEASES, VERSION } from "../program.ts";
import type { UserStore } from "../store/index.ts";
import type { Clock } from "../sync/clock.ts";
import { SettingsStore } from "./settings.ts";

/**
 * The address of the installers: ZENITH_RELEASES, or the one of package.json. Only https, except for a server on this
 * computer.
 *
 * @returns an address that ends in “/”, or null
 */
export function releaseAddress(env: NodeJS.ProcessEnv = process.env): URL | null {
  const url = URL.parse((env["ZENITH_RELEASES"] ?? RELEASES).replace(/\/*$/, "/"));
  if (url === null || url.username !== "" || url.password !== "") return null;
  if (url.hostname.endsWith(".invalid")) return null;
  return url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url)) ? url : null;
}

/** Interval of automatic checks. */
const CHECK_INTERVAL_MS = 86_400_000;
const SETTING = "releases";

const lastCheckSchema = z.object({
  checkedMs: z.number(),
  release: z
    .object({ version: z.string(), date: z.string().nullable(), notes: z.array(z.string()).readonly() })
    .nullable(),
});
type LastCheck = z.output<typeof lastCheckSchema>;

/** Checks whether there is a newer version of this program. */
export async function checkReleases(
  send: Transport | undefined,
  signal: AbortSignal,
): Promise<Result<ReleaseNews, AppFault>> {
  const address = releaseAddress();
  if (address === null) return usageFailure("This build does not know where its releases are published.");
  if (send === undefined) {
    const transport = createTransport();
    try {
      return await checkReleases(transport.send, signal);
    } finally {
      await transport.close();
    }
  }
  const answer = await newestRelease(new URL(FEED_FILE, address), send, signal);
  return answer.ok ? success(newsOf(answer.value, address)) : failure(serviceFault(answer.error));
}

/** Checks for windows: automatically at most once a day, and only if the user enabled that. */
export function createReleaseWatch(
  users: Pick<UserStore, "assertWritable" | "setting" | "putSetting">,
  send: Transport | undefined,
  clock: Pick<Clock, "wallMs">,
): (isManual: boolean, signal: AbortSignal) => Promise<Result<ReleaseNews | null, AppFault>> {
  return async (isManual, signal) => {
    const lastCheck = parseStored(lastCheckSchema, users.setting(SETTING));
    if (!isManual) {
      if (!new SettingsStore(users).read().checkReleases) return success(null);
      const address = releaseAddress();
      const ageMs = clock.wallMs() - (lastCheck?.checkedMs ?? -Infinity);
      // A negative age means that the clock was set back.
      if (address === null || (ageMs >= 0 && ageMs < CHECK_INTERVAL_MS))
        return success(address && lastCheck && newsOf(lastCheck.release, address));
    }
    const answer = await checkReleases(send, signal);
    // Also saved after a failure, so that not every window requests an unreachable feed again.
    const release = answer.ok ? answer.value.newer : (lastCheck?.release ?? null);
    users.putSetting(SETTING, JSON.stringify({ checkedMs: clock.wallMs(), release } satisfies LastCheck));
    return answer;
  };
}

function newsOf(release: Release | null, address: URL): ReleaseNews {
  return { newer: release && isNewer(release.version, VERSION) ? release : null, address: address.href };
}
