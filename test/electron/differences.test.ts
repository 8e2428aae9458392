import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { AppFault } from "#shared/fault.ts";
import type { Result } from "#shared/service/error.ts";
import { openService } from "../support/openService.ts";
import { readLog } from "#main/log/index.ts";
import { KEY } from "../support/desk.ts";
import { tries } from "../support/endurance.ts";
import { callCore, connectToCore } from "./coreCalls.ts";
import { standinForEachTest } from "./starts.ts";
import { valueOf } from "../support/valueOf.ts";

// Unexpected behaviour of Electron (decision 23), from the perspective of users.

const starts = standinForEachTest();
const { start } = starts;
const service = await openService({ organizations: [{ key: KEY, name: "test", owner: "aurora" }] });

describe("a notification", () => {
  it("is shown only while the window has no focus, restores the window when clicked, and is logged if it fails", async () => {
    // The window is shown when its page has loaded, even if it reports readiness later.
    const { standin } = await start({ readyToShow: "late" });
    const window = async () => (await standin.control.windows())[0];
    // On a slow computer, the core starts before the window is shown.
    await expect.poll(() => standin.control.utilityPids()).toHaveLength(1);
    await expect.poll(window).toMatchObject({ isVisible: true, isFocused: true });
    const id = (await window())?.id ?? 0;
    // Late readiness does not focus the window again.
    await standin.control.leaveWindow(id);
    await standin.control.becomeReady(id);
    expect(await window()).toMatchObject({ isVisible: true, isFocused: false });
    await standin.control.focusWindow(id);
    const notify = (title: string) =>
      standin.control.sendAsUtility({ kind: "ask", id: 1e9, name: "notify", input: [title, "12 stations"] });
    await notify("While the window is in front");
    await standin.control.minimizeWindow(id);
    await standin.control.leaveWindow(id);
    await notify("A download has ended");
    const shown = async () => (await standin.control.systemCalls()).filter(({ what }) => what === "notification");
    await expect
      .poll(shown)
      .toEqual([{ what: "notification", value: { title: "A download has ended", body: "12 stations" } }]);
    await standin.control.clickNotification();
    expect(await window()).toMatchObject({ isVisible: true, isFocused: true });
    await standin.control.leaveWindow(id);
    await notify("Not to be shown");
    await expect.poll(async () => (await shown()).length).toBe(2);
    await standin.control.failNotification("no server");
    expect(readLog(starts.folder, "warn").map(({ text }) => text)).toContain(
      "a notification was not shown · no server",
    );
  });
});

describe("a failed page", () => {
  it("can be reloaded without a selection", async () => {
    const { page } = await start();
    await page.evaluate(`Object.defineProperty(document, "title", { set() { throw new Error("odd"); } })`);
    await page.getByRole("button", { name: "Explore the demo" }).click();
    await page.getByRole("button", { name: "Reload without a selection" }).click();
    await page.getByText("Kirkkolahti").first().waitFor();
    expect(await page.title()).toBe("Demo · Zenith Desk");
    const [failed] = readLog(starts.folder, "error").filter(({ source }) => source.startsWith("core"));
    expect(failed?.text).toMatch(/^window: Error: odd/);
  });
});

const STORES = [
  ["none", "session", null],
  ["portal", "protected", "v12"],
  ["refuses", "session", null],
  ["keyring", "protected", "v11"],
] as const;

describe("a key with the secret store", () => {
  it.each(STORES.slice(0, tries(2, 4)))("“%s” has the protection “%s”", async (keyStore, protection, head) => {
    const { page } = await start({ keyStore });
    await connectToCore(page);
    const value = async <T>(call: string, input: object): Promise<T> => {
      return valueOf((await callCore(page, call, input)) as Result<T, AppFault>);
    };
    // The store is not used before there is a key.
    expect(await value("system.capabilities", {})).toMatchObject({ keys: "unasked" });
    await value("connections.add", { name: "A", baseUrl: service.url, apiKey: KEY, remember: true });
    expect(await value("system.capabilities", {})).toMatchObject({ keys: protection });
    const keys = join(starts.folder, "electron", "keys");
    const kept = existsSync(keys) ? readdirSync(keys).map((name) => readFileSync(join(keys, name))) : [];
    expect(kept.map((sealed) => sealed.toString("latin1", 0, 3))).toEqual(head === null ? [] : [head]);
    expect(kept.some((sealed) => sealed.includes(KEY))).toBe(false);
  });
});
