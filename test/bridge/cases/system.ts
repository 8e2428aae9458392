import { join } from "node:path";
import { expect } from "vitest";
import { DEFAULT_SETTINGS } from "#shared/bridge/methods/settings.ts";
import type { Capabilities } from "#shared/bridge/methods/system.ts";
import type { StationGroup } from "#shared/station/group.ts";
import { KEPT } from "../fixture.ts";
import { type Cases, faultOf, valueOf, type World } from "./case.ts";

function group(name: string, ...stationIds: string[]): StationGroup {
  return { connectionId: KEPT, name, stationIds };
}

export const systemCases: Cases<`${"settings" | "system" | "recovery" | "releases" | "log"}.${string}`> = {
  async "settings.read"({ bridge }) {
    expect(valueOf(await bridge.settings.read({}))).toEqual(DEFAULT_SETTINGS);
  },
  async "settings.write"({ bridge }) {
    const changed = new Promise((resolve) => bridge.on("settingsChanged", resolve));
    const written = valueOf(await bridge.settings.write({ theme: "dark" }));
    expect(written).toEqual({ ...DEFAULT_SETTINGS, theme: "dark" });
    expect(await changed).toEqual(written);
    expect(valueOf(await bridge.settings.write({ notify: false }))).toEqual({ ...written, notify: false });
    expect(valueOf(await bridge.settings.write(DEFAULT_SETTINGS))).toEqual(DEFAULT_SETTINGS);
  },
  async "settings.changeGroups"({ bridge }) {
    const change = async (before: StationGroup[], after: StationGroup[]) =>
      valueOf(await bridge.settings.changeGroups({ before, after })).stationGroups;
    const old = [group("Alps", "a"), group("Bay", "b")];
    expect(await change([], old)).toEqual(old);
    // Two windows with the same groups: one adds a group and changes another, then the other one deletes that and adds its own.
    const [alps, bay, coast, dale] = [group("Alps", "a"), group("Bay", "b", "c"), group("Coast"), group("Dale")];
    expect(await change(old, [alps, bay, coast])).toEqual([alps, bay, coast]);
    expect(await change(old, [group("Bay", "b"), dale])).toEqual([bay, coast, dale]);
    expect(await change([bay, coast, dale], [])).toEqual([]);
  },
  async "settings.readWorkspace"({ bridge }) {
    expect(valueOf(await bridge.settings.readWorkspace({ key: "never written" }))).toBeNull();
  },
  async "settings.writeWorkspace"({ bridge }) {
    const content = JSON.stringify({ text: "ä \u2028 \ud800 😀", list: [1, null] });
    expect(valueOf(await bridge.settings.writeWorkspace({ key: "main", content }))).toBeNull();
    expect(valueOf(await bridge.settings.readWorkspace({ key: "main" }))).toBe(content);
    expect(valueOf(await bridge.settings.readWorkspace({ key: "other" }))).toBeNull();
    // Settings must not be reachable as a workspace, and vice versa.
    expect(valueOf(await bridge.settings.read({}))).toEqual(DEFAULT_SETTINGS);
  },
  async "recovery.state"({ bridge, folder }) {
    expect(valueOf(await bridge.recovery.state({}))).toEqual({
      reason: null,
      path: join(folder, "user.db"),
      backups: [],
    });
  },
  async "recovery.restore"({ bridge }) {
    expect(faultOf(await bridge.recovery.restore({ backup: null })).kind).toBe("usage");
  },
  async "log.read"({ bridge, folder }) {
    const { path, lines } = valueOf(await bridge.log.read({ level: "info", most: 10 }));
    expect(path).toBe(join(folder, "log.txt"));
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.every(({ level }) => level !== "debug")).toBe(true);
  },
  async "log.report"({ bridge }) {
    valueOf(await bridge.log.report({ text: "a page\nfailed" }));
    const { lines } = valueOf(await bridge.log.read({ level: "error", most: 1 }));
    expect(lines).toMatchObject([{ level: "error", text: "window: a page\\nfailed" }]);
  },
  async "releases.address"({ bridge }) {
    // A build with a placeholder as its release feed sends no request.
    expect(valueOf(await bridge.releases.address({}))).toBeNull();
  },
  async "releases.check"({ bridge }) {
    expect(valueOf(await bridge.releases.check({ isAsked: false }))).toBeNull();
    expect(faultOf(await bridge.releases.check({ isAsked: true })).kind).toBe("usage");
  },
  async "system.about"({ bridge, folder }) {
    expect(valueOf(await bridge.system.about({}))).toMatchObject({ name: "Zenith Desk", dataFolder: folder });
  },
  async "system.capabilities"({ bridge }) {
    const { shell, keys, timeZone } = valueOf(await bridge.system.capabilities({}));
    expect(timeZone).toBe(new Intl.DateTimeFormat().resolvedOptions().timeZone);
    expect(["electron", "web", "test"]).toContain(shell);
    expect(["protected", "file", "session", "unasked"]).toContain(keys);
  },
  "system.chooseSaveFile": (world) =>
    rejectedWithout(world, "fileDialogs", () =>
      world.bridge.system.chooseSaveFile({ suggestedName: "a.csv", extensions: ["csv"] }),
    ),
  "system.chooseFolder": (world) => rejectedWithout(world, "fileDialogs", () => world.bridge.system.chooseFolder({})),
  "system.showInFolder": (world) =>
    rejectedWithout(world, "showInFolder", () => world.bridge.system.showInFolder({ path: world.folder })),
  async "system.openExternal"({ bridge }) {
    // This address is never opened.
    expect(faultOf(await bridge.system.openExternal({ url: "file:///etc/passwd" })).kind).not.toBe("cancelled");
  },
  "system.newWindow": (world) => rejectedWithout(world, "newWindow", () => world.bridge.system.newWindow({})),
};

/** Checks that a shell without the capability rejects the call. Tests of the shell cover calls that open something. */
async function rejectedWithout(
  { bridge }: World,
  capability: keyof Capabilities,
  call: () => Promise<Parameters<typeof faultOf>[0]>,
): Promise<void> {
  const capabilities = valueOf(await bridge.system.capabilities({}));
  if (capabilities[capability] === true) return;
  expect(faultOf(await call()).kind).toBe("usage");
}
