import type { Handlers } from "#shared/bridge/method.ts";
import type { releases, settings } from "#shared/bridge/methods/settings.ts";
import { success } from "#shared/service/error.ts";
import { releaseAddress } from "../app/releases.ts";
import type { Core } from "./core.ts";

export function settingsHandlers({ app, events, ports }: Core): Handlers<typeof settings> {
  const store = app.settings;
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

export function releaseHandlers({ app }: Core): Handlers<typeof releases> {
  return {
    address: () => success(releaseAddress()?.href ?? null),
    check: ({ isAsked }, { signal }) => app.checkRelease(isAsked, signal),
  };
}
