import type { ContextMenuParams, MenuItemConstructorOptions } from "electron";
import { type CommandId, commandOf, VIEW_COMMANDS } from "#shared/commands.ts";

type Item = MenuItemConstructorOptions;
type Platform = NodeJS.Platform;

interface MenuOptions {
  readonly platform: Platform;
  /** Whether the menu has the developer tools, in unpackaged builds. */
  readonly developer: boolean;
  /** Called with the id of the menu's window, or null. */
  readonly run: (command: CommandId, windowId: number | null) => void;
}

const when = <T>(condition: boolean, ...items: T[]): T[] => (condition ? items : []);
const SEPARATOR: Item = { type: "separator" };

/** The application menu. Each item is a command of the palette or a role of the system. */
export function menuTemplate({ platform, developer, run }: MenuOptions): Item[] {
  const mac = platform === "darwin";
  const item = (id: CommandId): Item => commandItem(id, platform, run);
  const items = (...ids: CommandId[]): Item[] => ids.map(item);
  const roles = (...names: NonNullable<Item["role"]>[]): Item[] => names.map((role) => ({ role }));

  return [
    ...when(mac, {
      label: "Zenith Desk",
      submenu: [
        ...items("about"),
        SEPARATOR,
        ...items("settings"),
        SEPARATOR,
        ...roles("services"),
        SEPARATOR,
        ...roles("hide", "hideOthers", "unhide"),
        SEPARATOR,
        ...roles("quit"),
      ],
    }),
    {
      label: "&File",
      submenu: [
        ...items("new-window", "connect"),
        SEPARATOR,
        ...items("files.open", "files.open-folder"),
        SEPARATOR,
        ...items("fetch", "export", "jobs"),
        SEPARATOR,
        ...items("views.save", "views.open-file"),
        SEPARATOR,
        ...when(!mac, item("settings"), SEPARATOR),
        ...roles("close"),
        ...when(!mac, ...roles("quit")),
      ],
    },
    {
      label: "&Edit",
      submenu: [
        // Of the program; in a text field, the page undoes typing.
        item("undo"),
        { ...item("redo"), ...when(mac, { accelerator: "Shift+Command+Z" })[0] },
        SEPARATOR,
        ...roles("cut", "copy", "paste", "selectAll"),
        SEPARATOR,
        ...items("search"),
      ],
    },
    {
      label: "&View",
      submenu: [
        ...items("palette"),
        SEPARATOR,
        ...items(...VIEW_COMMANDS),
        SEPARATOR,
        ...items("time.back", "time.forward", "zoom.in", "zoom.out"),
        SEPARATOR,
        ...items("catalogue.refresh"),
        { label: "Theme", submenu: items("theme.system", "theme.light", "theme.dark") },
        SEPARATOR,
        ...roles("resetZoom", "zoomIn", "zoomOut", "togglefullscreen"),
        ...when(developer, SEPARATOR, ...roles("toggleDevTools")),
      ],
    },
    {
      label: "&Window",
      role: "window",
      submenu: [...roles("minimize"), ...when(mac, ...roles("zoom"), SEPARATOR, ...roles("front"))],
    },
    {
      label: "&Help",
      role: "help",
      submenu: [...items("guide", "shortcuts", "log"), ...when(!mac, SEPARATOR, item("about"))],
    },
  ];
}

/**
 * The context menu of text fields and selected text, which Electron leaves to the program; empty where there is nothing to
 * do. The page shows its own menus.
 */
export function textMenuTemplate({ isEditable, selectionText, editFlags }: TextContext): Item[] {
  if (!isEditable) return selectionText.trim() === "" ? [] : [role("copy", editFlags.canCopy)];
  return [
    role("undo", editFlags.canUndo),
    role("redo", editFlags.canRedo),
    SEPARATOR,
    role("cut", editFlags.canCut),
    role("copy", editFlags.canCopy),
    role("paste", editFlags.canPaste),
    SEPARATOR,
    role("selectAll", editFlags.canSelectAll),
  ];
}

function role(name: NonNullable<Item["role"]>, enabled: boolean): Item {
  return { role: name, enabled };
}

/** What Electron says about the place of a right click. */
type TextContext = Pick<ContextMenuParams, "isEditable" | "selectionText"> & {
  readonly editFlags: Omit<ContextMenuParams["editFlags"], "canDelete" | "canEditRichly">;
};

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
 * A single key is shown but not registered, because it could no longer be typed into fields. macOS shows only registered
 * keys.
 */
function shortcut(accelerator: string | undefined, key: string | undefined, platform: Platform): Item {
  if (accelerator !== undefined) return { accelerator };
  if (key === undefined || platform === "darwin") return {};
  return { accelerator: key === "+" ? "Plus" : key.toUpperCase(), registerAccelerator: false };
}
