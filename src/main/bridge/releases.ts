import type { Handlers } from "#shared/bridge/method.ts";
import type { releases } from "#shared/bridge/methods/releases.ts";
import { success } from "#shared/service/error.ts";
import { createReleaseWatch } from "../app/releases.ts";
import { releaseAddress } from "../releaseFeed.ts";
import { systemClock } from "../sync/clock.ts";
import type { Core } from "./core.ts";

export function releaseHandlers({ users, ports }: Core): Handlers<typeof releases> {
  const check = createReleaseWatch(users, ports.transport, ports.clock ?? systemClock);
  return {
    address: () => success(releaseAddress()?.href ?? null),
    check: ({ isAsked }, { signal }) => check(isAsked, signal),
  };
}
