import type { MenuItemConstructorOptions } from "electron";
import { describe, expect, it } from "vitest";
import { type Command, COMMANDS, isCommandId } from "#shared/commands.ts";
import { menuTemplate } from "#main/electron/menu.ts";

/** Accelerators of Electron's roles. */
const ROLE_KEYS: Readonly<Record<string, string>> = {
  undo: "CmdOrCtrl+Z",
  redo: "Shift+CmdOrCtrl+Z",
  cut: "CmdOrCtrl+X",
  copy: "CmdOrCtrl+C",
  paste: "CmdOrCtrl+V",
  selectAll: "CmdOrCtrl+A",
  close: "CmdOrCtrl+W",
  minimize: "CmdOrCtrl+M",
  quit: "CmdOrCtrl+Q",
  hide: "CmdOrCtrl+H",
  hideOthers: "Command+Alt+H",
  resetZoom: "CmdOrCtrl+0",
  zoomIn: "CmdOrCtrl+Plus",
  zoomOut: "CmdOrCtrl+-",
  togglefullscreen: "F11",
  toggleDevTools: "CmdOrCtrl+Shift+I",
};

function flat(items: readonly MenuItemConstructorOptions[]): MenuItemConstructorOptions[] {
  return items.flatMap((item) => [item, ...(Array.isArray(item.submenu) ? flat(item.submenu) : [])]);
}

function isOnlyShown(item: MenuItemConstructorOptions): boolean {
  return item.registerAccelerator === false;
}

describe.each(["darwin", "win32", "linux"] as const)("menus on %s", (platform) => {
  const chosen: [string, number | null][] = [];
  const template = menuTemplate({
    platform,
    developer: true,
    run: (command, windowId) => chosen.push([command, windowId]),
  });
  const items = flat(template);

  it("contain commands of the palette, each once", () => {
    const ids = items.flatMap((item) => (item.id ? [item.id.replace("command:", "")] : []));
    expect(ids.every(isCommandId)).toBe(true);
    expect(ids).toHaveLength(new Set(ids).size);
    expect(ids).toEqual(
      expect.arrayContaining(
        "new-window files.open files.open-folder fetch export undo redo palette settings about".split(" "),
      ),
    );
  });

  it("have unique accelerators, including those of roles", () => {
    const keys = items.flatMap((item) => item.accelerator ?? (item.role && ROLE_KEYS[item.role]) ?? []);
    expect(keys.length).toBeGreaterThan(20);
    expect(keys).toHaveLength(new Set(keys).size);
  });

  it("do not use keys that are typed into fields", () => {
    const conflicts = items.filter(
      (item) => item.accelerator && !/\+|^F\d+$/.test(item.accelerator) && !isOnlyShown(item),
    );
    expect(conflicts).toEqual([]);
  });

  it("have the editing roles, which macOS needs for copying text", () => {
    const roles = items.map((item) => item.role);
    expect(roles).toEqual(expect.arrayContaining(["cut", "copy", "paste", "selectAll"]));
    expect(roles.includes("services")).toBe(platform === "darwin");
  });

  it("run a command in its window", () => {
    const exporting = items.find((item) => item.id === "command:export");
    exporting?.click?.({} as never, { id: 7 } as never, {});
    exporting?.click?.({} as never, undefined, {});
    expect(chosen).toEqual([
      ["export", 7],
      ["export", null],
    ]);
  });
});

it("menus of the packaged program do not contain the developer tools", () => {
  const items = flat(menuTemplate({ platform: "linux", developer: false, run: () => {} }));
  expect(items.map((item) => item.role)).not.toContain("toggleDevTools");
});

it("keys and accelerators of the palette are unique", () => {
  const commands: readonly Command[] = COMMANDS;
  for (const keys of [commands.flatMap((c) => c.accelerator ?? []), commands.flatMap((c) => c.key ?? [])])
    expect(keys).toHaveLength(new Set(keys).size);
});
