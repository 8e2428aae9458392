import type { MenuItemConstructorOptions } from "electron";
import { type CommandId, commandOf } from "#shared/commands.ts";

type Item = MenuItemConstructorOptions;
type Platform = NodeJS.Platform;

export interface MenuOptions {
  readonly platform: Platform;
  /** Not yet packaged: the developer tools are in the menu. */
  readonly developer: boolean;
  /** Called with the id of the window the menu belongs to, where there is one. */
  readonly run: (command: CommandId, windowId: number | null) => void;
}

const on = <T>(wanted: boolean, ...items: T[]): T[] => (wanted ? items : []);
const LINE: Item = { type: "separator" };

/** The menus of the system. What they do is a command of the palette, or one of the system's own roles. */
export function menuTemplate({ platform, developer, run }: MenuOptions): Item[] {
  const mac = platform === "darwin";
  const item = (id: CommandId): Item => commandItem(id, platform, run);
  const items = (...ids: CommandId[]): Item[] => ids.map(item);
  const roles = (...names: NonNullable<Item["role"]>[]): Item[] => names.map((role) => ({ role }));

  return [
    ...on(mac, {
      label: "Zenith Desk",
      submenu: [
        ...items("about"),
        LINE,
        ...items("settings"),
        LINE,
        ...roles("services"),
        LINE,
        ...roles("hide", "hideOthers", "unhide"),
        LINE,
        ...roles("quit"),
      ],
    }),
    {
      label: "&File",
      submenu: [
        ...items("new-window", "connect"),
        LINE,
        ...items("fetch", "export", "jobs"),
        LINE,
        ...items("views.save", "views.open-file"),
        LINE,
        ...on(!mac, item("settings"), LINE),
        ...roles("close"),
        ...on(!mac, ...roles("quit")),
      ],
    },
    {
      label: "&Edit",
      submenu: [
        ...roles("undo", "redo"),
        LINE,
        ...roles("cut", "copy", "paste", "selectAll"),
        LINE,
        ...items("search"),
      ],
    },
    {
      label: "&View",
      submenu: [
        ...items("palette"),
        LINE,
        ...items("view.series", "view.table", "view.map", "view.satellites", "view.availability", "view.compare"),
        LINE,
        ...items("time.back", "time.forward", "zoom.in", "zoom.out"),
        LINE,
        ...items("catalogue.refresh"),
        { label: "Theme", submenu: items("theme.system", "theme.light", "theme.dark") },
        LINE,
        ...roles("resetZoom", "zoomIn", "zoomOut", "togglefullscreen"),
        ...on(developer, LINE, ...roles("toggleDevTools")),
      ],
    },
    {
      label: "&Window",
      role: "window",
      submenu: [...roles("minimize"), ...on(mac, ...roles("zoom"), LINE, ...roles("front"))],
    },
    {
      label: "&Help",
      role: "help",
      submenu: [...items("guide", "shortcuts", "log"), ...on(!mac, LINE, item("about"))],
    },
  ];
}

function commandItem(id: CommandId, platform: Platform, run: MenuOptions["run"]): Item {
  const command = commandOf(id);
  return {
    id: `command:${id}`,
    label: command.title,
    ...shortcut(command.accelerator, command.key, platform),
    click: (_, window) => run(id, window && "id" in window ? window.id : null),
  };
}

/**
 * A single key is shown but not taken: it would no longer be typed into fields. macOS can only take a key or not show
 * it.
 */
function shortcut(accelerator: string | undefined, key: string | undefined, platform: Platform): Item {
  if (accelerator !== undefined) return { accelerator };
  if (key === undefined || platform === "darwin") return {};
  return { accelerator: key === "+" ? "Plus" : key.toUpperCase(), registerAccelerator: false };
}
