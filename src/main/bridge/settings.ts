import type { Handlers } from "#shared/bridge/method.ts";
import type { settings } from "#shared/bridge/methods/settings.ts";
import { success } from "#shared/service/error.ts";
import { createSettings } from "../app/settings.ts";
import type { Core } from "./core.ts";

export function settingsHandlers({ users, events, ports }: Core): Handlers<typeof settings> {
  const kept = createSettings(users);
  // The shell draws its own parts, menus and frames, from the start as the user chose.
  ports.desktop?.useTheme?.(kept.read().theme);
  return {
    read: () => success(kept.read()),
    write(changes) {
      const next = kept.write(changes);
      ports.desktop?.useTheme?.(next.theme);
      events.emit("settingsChanged", next);
      return success(next);
    },
    readWorkspace: ({ key }) => success(kept.workspace(key)),
    writeWorkspace({ key, content }) {
      kept.putWorkspace(key, content);
      return success(null);
    },
  };
}
