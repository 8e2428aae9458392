import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { openStandin, sandboxMissing, type Standin, standinMissing } from "../electron-standin/driver.ts";
import { desktopMain } from "../support/desktopProgram.ts";
import { callCore, connectToCore } from "./coreCalls.ts";

// The built bundles start under the stand-in: the window shows the page, and the core responds.

const missing = standinMissing();
let folder = "";
let standin: Standin;
let page: Page;

beforeAll(async () => {
  if (missing !== null) return;
  folder = mkdtempSync(join(tmpdir(), "zenith-standin-"));
  standin = await openStandin({
    main: await desktopMain(),
    dataFolder: folder,
    sandbox: sandboxMissing() === null ? "namespaces" : "none",
  });
  page = await standin.page();
}, 120_000);
beforeEach((context) => context.skip(missing !== null, missing ?? ""));
afterAll(async () => {
  await standin?.kill();
  if (folder) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

it("the window shows the page with restrictive preferences", async () => {
  expect(await page.title()).toBe("Zenith Desk");
  expect(await standin.webPreferences()).toMatchObject({
    contextIsolation: true,
    sandbox: true,
    nodeIntegration: false,
    webSecurity: true,
    webviewTag: false,
  });
  expect(await standin.control.isSandboxed()).toBe(true);
  expect(await page.evaluate("[typeof require, typeof process, typeof zenithShell]")).toEqual([
    "undefined",
    "undefined",
    "object",
  ]);
});

it("the core responds to a call of the bridge", async () => {
  await connectToCore(page);
  const response = await callCore(page, "settings.read", {});
  expect(response).toMatchObject({ ok: true });
});

it("the page cannot navigate or open windows", async () => {
  const before = page.url();
  await page.evaluate("location.href = 'https://example.org/'; void window.open('https://example.org/')");
  await expect.poll(standin.control.windowRequests).toEqual([{ url: "https://example.org/", action: "deny" }]);
  expect(page.context().pages()).toHaveLength(1);
  expect(await page.evaluate("location.href")).toBe(before);
});
