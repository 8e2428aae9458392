import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { AppFault } from "#shared/fault.ts";
import type { Result } from "#shared/service/error.ts";
import { type RunningService, startService } from "#service/index.ts";
import { readLog } from "../../src/main/log/index.ts";
import { openStandin, type Standin, type StandinOptions, standinMissing } from "../electron-standin/driver.ts";
import { KEY } from "../support/desk.ts";
import { desktopMain } from "../support/desktopProgram.ts";
import { tries } from "../support/endurance.ts";
import { askCore, openWay } from "./askPage.ts";

// Where Electron is not as it seems (decision 23), from the side of the user.

const missing = standinMissing();
let service: RunningService;
let folder = "";
let standin: Standin | null = null;

beforeAll(async () => {
  service = await startService({ organizations: [{ key: KEY, name: "test", owner: "aurora" }] });
});
beforeEach((context) => {
  context.skip(missing !== null, missing ?? "");
  folder = mkdtempSync(join(tmpdir(), "zenith-differences-"));
});
afterEach(async () => {
  await standin?.kill();
  standin = null;
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});
afterAll(() => service.close());

async function start(options: Partial<StandinOptions> = {}): Promise<{ standin: Standin; page: Page }> {
  standin = await openStandin({ main: await desktopMain(), dataFolder: folder, ...options });
  return { standin, page: await standin.page() };
}

describe("a window", () => {
  it("is shown once, when its page has loaded, however late it says that it is ready", async () => {
    const { standin } = await start({ readyToShow: "late" });
    const window = async () => (await standin.control.windows())[0];
    await expect.poll(window).toMatchObject({ isVisible: true, isFocused: true });
    // What its user did meanwhile stays as it is.
    const { id = 0 } = (await window()) ?? {};
    await standin.control.leaveWindow(id);
    await standin.control.becomeReady(id);
    expect(await window()).toMatchObject({ isVisible: true, isFocused: false });
  });

  it("is shown all the same where its page never says that it has loaded", async () => {
    const { standin } = await start({ readyToShow: "stuck" });
    await expect.poll(async () => (await standin.control.windows())[0]?.isVisible).toBe(true);
  });
});

/** Notes with how many words the page sends each message over its ports, and the bytes of the arrays that arrive there. */
const WATCH_PORTS = `{
  window.sent = [];
  window.arrivedBytes = 0;
  const { postMessage, addEventListener } = MessagePort.prototype;
  const note = (value) => {
    if (ArrayBuffer.isView(value)) arrivedBytes += value.byteLength;
    else if (typeof value === "object" && value !== null) Object.values(value).forEach(note);
  };
  MessagePort.prototype.postMessage = function (...words) {
    sent.push(words.length);
    return postMessage.apply(this, words);
  };
  MessagePort.prototype.addEventListener = function (type, listener) {
    if (type === "message") addEventListener.call(this, type, ({ data }) => note(data));
    return addEventListener.call(this, type, listener);
  };
}`;

describe("the ports of a page", () => {
  // That each answer arrives whole, by its values, is tested in conformance.test.ts, over the same ports.
  it("bring it arrays, and it transfers nothing over them", async () => {
    const { page } = await start();
    await page.addInitScript(WATCH_PORTS);
    await page.reload();
    await page.getByRole("button", { name: "Explore the demo" }).click();
    await expect.poll(() => page.evaluate("arrivedBytes")).toBeGreaterThan(0);
    expect(await page.evaluate("sent.filter((words) => words !== 1)")).toEqual([]);
    expect(await page.evaluate("sent.length")).toBeGreaterThan(5);
  });
});

describe("a notification", () => {
  it("brings the window back where it is clicked long after it was made; one that fails is in the log", async () => {
    const { standin } = await start();
    const window = async () => (await standin.control.windows())[0];
    // On a slow computer the core is there before the window is.
    await expect.poll(() => standin.control.utilityPids()).toHaveLength(1);
    await expect.poll(window).toMatchObject({ isVisible: true, isFocused: true });
    const id = (await window())?.id ?? 0;
    const notify = (title: string) =>
      standin.control.sayAsUtility({ kind: "ask", id: 1e9, name: "notify", input: [title, "12 stations"] });
    await notify("While the window is in front");
    await standin.control.minimizeWindow(id);
    await standin.control.leaveWindow(id);
    await notify("A download has ended");
    const shown = async () => (await standin.control.done()).filter(({ what }) => what === "notification");
    await expect
      .poll(shown)
      .toEqual([{ what: "notification", value: { title: "A download has ended", body: "12 stations" } }]);
    await standin.control.clickNotification();
    expect(await window()).toMatchObject({ isVisible: true, isFocused: true });
    await standin.control.leaveWindow(id);
    await notify("Not to be shown");
    await expect.poll(async () => (await shown()).length).toBe(2);
    await standin.control.failNotification("no server");
    expect(readLog(folder, "warn").map(({ text }) => text)).toContain("a notification was not shown · no server");
  });
});

describe("a page that failed", () => {
  it("is loaded again without a selection", async () => {
    const { page } = await start();
    await page.evaluate(`Object.defineProperty(document, "title", { set() { throw new Error("odd"); } })`);
    await page.getByRole("button", { name: "Explore the demo" }).click();
    await page.getByRole("button", { name: "Reload without a selection" }).click();
    await page.getByText("Kirkkolahti").first().waitFor();
    expect(await page.title()).toBe("Demo · Zenith Desk");
    const [failed] = readLog(folder, "error").filter(({ source }) => source.startsWith("core"));
    expect(failed?.text).toMatch(/^window: Error: odd/);
  });
});

const STORES = [
  ["none", "session", null],
  ["portal", "protected", "v12"],
  ["refuses", "session", null],
  ["keyring", "protected", "v11"],
] as const;

describe("a key in a store that is", () => {
  it.each(STORES.slice(0, tries(2, 4)))("%s is kept as “%s”", async (keyStore, protection, head) => {
    const { page } = await start({ keyStore });
    await openWay(page);
    const value = async <T>(call: string, input: object): Promise<T> => {
      const answer = (await askCore(page, call, input)) as Result<T, AppFault>;
      if (!answer.ok) throw new Error(answer.error.message);
      return answer.value;
    };
    // Nobody is asked before there is a key to keep.
    expect(await value("system.capabilities", {})).toMatchObject({ keys: "unasked" });
    await value("connections.add", { name: "A", baseUrl: service.url, apiKey: KEY, remember: true });
    expect(await value("system.capabilities", {})).toMatchObject({ keys: protection });
    const keys = join(folder, "electron", "keys");
    const kept = existsSync(keys) ? readdirSync(keys).map((name) => readFileSync(join(keys, name))) : [];
    expect(kept.map((sealed) => sealed.toString("latin1", 0, 3))).toEqual(head === null ? [] : [head]);
    expect(kept.some((sealed) => sealed.includes(KEY))).toBe(false);
  });
});
