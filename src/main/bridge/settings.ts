import type { Handlers } from "#shared/bridge/method.ts";
import type { releases, settings } from "#shared/bridge/methods/settings.ts";
import { success } from "#shared/service/error.ts";
import { createReleaseWatch, releaseAddress } from "../app/releases.ts";
import { SettingsStore } from "../app/settings.ts";
import { systemClock } from "../sync/clock.ts";
import type { Core } from "./core.ts";

export function settingsHandlers({ users, events, ports }: Core): Handlers<typeof settings> {
  const store = new SettingsStore(users);
  // The shell's own menus and frames have the user's theme from the start.
  ports.desktop?.useTheme?.(store.read().theme);
  return {
    read: () => success(store.read()),
    write(changes) {
      const next = store.write(changes);
      ports.desktop?.useTheme?.(next.theme);
      events.emit("settingsChanged", next);
      return success(next);
    },
    changeGroups({ before, after }) {
      const next = store.changeGroups(before, after);
      events.emit("settingsChanged", next);
      return success(next);
    },
    readWorkspace: ({ key }) => success(store.workspace(key)),
    writeWorkspace({ key, content }) {
      store.putWorkspace(key, content);
      return success(null);
    },
  };
}

export function releaseHandlers({ users, ports }: Core): Handlers<typeof releases> {
  const check = createReleaseWatch(users, ports.transport, ports.clock ?? systemClock);
  return {
    address: () => success(releaseAddress()?.href ?? null),
    check: ({ isAsked }, { signal }) => check(isAsked, signal),
  };
}
