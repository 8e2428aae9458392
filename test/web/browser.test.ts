import { createServer, type Server } from "node:http";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { chromiumBrowser, chromiumPath } from "../e2e/harness/chromium.ts";
import { SECRET_PROTOCOL_START, SOCKET_PROTOCOL } from "#shared/bridge/transport/webShell.ts";
import { CORE_HEARTBEAT } from "#main/supervisor/heartbeat.ts";
import { BUILT } from "#main/web/built.ts";
import { startWebShell, type WebShell } from "#main/web/index.ts";
import { shoot } from "../e2e/harness/shoot.ts";
import { builtApp } from "../support/build.ts";
import { openTestShell, type TestShell } from "./shell.ts";
import { openSection } from "../e2e/harness/steps.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

/** Waits for the first screen, which shows that the browser is signed in. */
async function signedIn(tab: Page): Promise<void> {
  await tab.getByRole("button", { name: "Explore the demo" }).waitFor();
}

const HANGING_CORE = join(import.meta.dirname, "hangingCore.ts");

// Only a browser shows the effect of the headers.
describe("the web shell in a browser", () => {
  let test: TestShell;
  let browser: Browser | null = null;
  const contexts: BrowserContext[] = [];
  let other: Server;
  let otherPort = 0;
  let served = "";
  /** Addresses and headers of all requests to the other server. */
  const requestsToOther: string[] = [];
  /** A shell with the built page, for tests of its script. */
  let built: WebShell;
  let builtFolder = "";
  beforeAll(async () => {
    if (chromiumPath() === null) return;
    builtApp();
    builtFolder = mkdtempSync(join(tmpdir(), "zenith-browser-"));
    built = await startWebShell({ dataFolder: builtFolder, ...BUILT, port: 0 });
    await built.ready;
    browser = await chromiumBrowser();
    test = await openTestShell();
    other = createServer((request, response) => {
      requestsToOther.push(request.url ?? "", ...request.rawHeaders);
      response.setHeader("content-type", "text/html; charset=utf-8");
      response.end(`<!doctype html>${served}`);
    });
    await once(other.listen(0, "127.0.0.1"), "listening");
    otherPort = (other.address() as AddressInfo).port;
  });
  afterAll(async () => {
    for (const context of contexts) await context.close();
    await test?.close();
    await built?.close();
    if (builtFolder) rmSync(builtFolder, { recursive: true, force: true });
    other?.close();
  });

  /** A new profile with the console messages of its page. */
  async function profile(skip: (why: string) => void): Promise<{ page: Page; messages: string[] }> {
    if (!browser) {
      skip("there is no Chromium on this computer (CHROMIUM names one)");
      throw new Error("skipped");
    }
    const context = await browser.newContext();
    contexts.push(context);
    const page = await context.newPage();
    const messages: string[] = [];
    page.on("console", (message) => messages.push(message.text()));
    return { page, messages };
  }

  /** Opens a page of another server on this computer, with the same host name or another one. */
  async function openOther(page: Page, html: string, name = "127.0.0.1"): Promise<void> {
    served = html;
    await page.goto(`http://${name}:${otherPort}/`);
  }

  it("removes the token from the address, and keeps the secret from cookies and other ports", async ({ skip }) => {
    const { page } = await profile(skip);
    const link = built.newLink();
    const requests: string[] = [];
    page.on("request", (request) =>
      requests.push(`${request.url()} ${JSON.stringify(request.headers()["referer"] ?? "")}`),
    );
    await page.goto(link);
    await page.getByRole("button", { name: "Explore the demo" }).waitFor();
    expect(page.url()).toBe(`${built.origin}/`);
    expect(await page.context().cookies()).toEqual([]);
    expect(await page.evaluate("[...Object.keys(localStorage)]")).toEqual([]);
    const secret = await page.evaluate<string>("sessionStorage.getItem('zenith-secret')");
    for (const hidden of [secret, link.split("=")[1]!]) expect(requests.join("\n")).not.toContain(hidden);
    await page.goBack().catch(() => null);
    expect(page.url()).not.toContain("link");
    await openOther(page, "<p>another port");
    expect(await page.evaluate("sessionStorage.getItem('zenith-secret')")).toBeNull();
    expect(requestsToOther.join("\n")).not.toContain(secret);
  });

  it("signs in one browser per link, including its other tabs and reloads", async ({ skip }) => {
    const { page } = await profile(skip);
    const link = built.newLink();
    await page.goto(link);
    await signedIn(page);
    await page.reload();
    await signedIn(page);
    const tab = await page.context().newPage();
    await tab.goto(built.origin);
    await signedIn(tab);
    const { page: stranger } = await profile(skip);
    await stranger.goto(built.origin);
    await stranger.getByText("This browser is not signed in.").waitFor();
    await stranger.goto(link);
    await stranger.getByText("This link has been used").waitFor();
    expect(stranger.url()).toBe(`${built.origin}/`);
    // A link in one tab also signs in waiting tabs.
    const third = await stranger.context().newPage();
    await third.goto(built.newLink());
    await Promise.all([signedIn(third), signedIn(stranger)]);
  });

  it("signs out all tabs of all browsers from the settings, with a message", async ({ skip }) => {
    const { page } = await profile(skip);
    const { page: other } = await profile(skip);
    for (const tab of [page, other]) await tab.goto(built.newLink());
    await other.getByRole("button", { name: "Explore the demo" }).waitFor();
    await page.getByRole("button", { name: "Explore the demo" }).click();
    await openSection(page, "Settings");
    await page.getByRole("button", { name: "Sign out everywhere" }).scrollIntoViewIfNeeded();
    await shoot(page, "settings-browsers");
    await page.getByRole("button", { name: "Sign out everywhere" }).click();
    await page.getByRole("button", { name: "Sign out all browsers" }).click();
    for (const tab of [page, other]) {
      await tab.getByText("This browser is signed out.").waitFor();
      if (tab === page) await shoot(page, "signed-out");
      await tab.reload();
      await tab.getByText("This browser is not signed in.").waitFor();
      expect(await tab.evaluate("sessionStorage.length")).toBe(0);
    }
  });

  it("shows a message if the core does not respond, with a button that restarts it", async ({ skip }) => {
    const { page } = await profile(skip);
    const hanging = await openTestShell({
      ...BUILT,
      coreFile: HANGING_CORE,
      bounds: { core: { ...CORE_HEARTBEAT, beatMs: 100, beats: 10 } },
    });
    await page.goto(hanging.shell.newLink());
    await signedIn(page);
    writeFileSync(join(hanging.folder, "data", "hang"), "");
    const notice = page.getByRole("alert");
    await notice.getByText("The core does not respond").waitFor();
    await shoot(page, "core-silent");
    await notice.getByRole("button", { name: "Restart the core" }).click();
    await notice.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Explore the demo" }).click();
    await page.getByRole("grid", { name: "Stations" }).waitFor();
    expect(await page.getByRole("alert").count()).toBe(0);
    await hanging.close();
  });

  it("accepts files only from its page", async ({ skip }) => {
    const { page } = await profile(skip);
    const secret = await test.secret();
    const send = (origin: string): Promise<unknown> =>
      page.evaluate(
        async ({ address, given }) => {
          const body = new File(["station_id,time,ztd_mm"], "Ä.csv");
          const headers = { authorization: `Bearer ${given}` };
          const response = await fetch(`${address}/open?name=%C3%84.csv`, { method: "POST", body, headers }).catch(
            () => null,
          );
          return response && (response.ok ? ((await response.json()) as unknown) : response.status);
        },
        { address: origin, given: secret },
      );
    await page.goto(test.shell.origin);
    expect(await send("")).toMatchObject({ name: "Ä.csv", bytes: 22, kind: "data" });
    await openOther(
      page,
      `<form id="f" method="post" enctype="text/plain" action="${test.shell.origin}/open?name=x"></form>`,
    );
    expect(await send(test.shell.origin)).toBeNull();
    const sent = page.waitForResponse((response) => response.url().includes("/open"));
    await page.evaluate(() => document.querySelector("form")?.submit());
    expect((await sent).status()).toBe(403);
  });

  it("rejects requests from a page of another port, even with the secret", async ({ skip }) => {
    const { page } = await profile(skip);
    await openOther(page, "<p>another program's page");
    const results = await page.evaluate(
      async ({ origin, socket, protocols }) => {
        const read = await fetch(origin, { credentials: "include" }).then(
          () => "read",
          () => "refused",
        );
        const blind = await fetch(origin, { credentials: "include", mode: "no-cors" }).then(
          () => "loaded",
          () => "refused",
        );
        const script = await new Promise((resolve) => {
          const element = document.createElement("script");
          element.addEventListener("load", () => resolve("loaded"));
          element.addEventListener("error", () => resolve("refused"));
          element.src = `${origin}/assets/index-1a2b3c.js`;
          document.head.append(element);
        });
        const opened = await new Promise((resolve) => {
          const attempt = new WebSocket(socket, protocols);
          attempt.addEventListener("open", () => resolve("open"));
          attempt.addEventListener("error", () => resolve("refused"));
        });
        return { read, blind, script, opened };
      },
      {
        origin: test.shell.origin,
        socket: `ws://${test.host}/bridge`,
        protocols: [SOCKET_PROTOCOL, SECRET_PROTOCOL_START + (await test.secret())],
      },
    );
    expect(results).toEqual({ read: "refused", blind: "refused", script: "refused", opened: "refused" });
  });

  it("cannot be embedded in a frame of another page", async ({ skip }) => {
    const { page } = await profile(skip);
    await page.goto(test.shell.origin);
    await openOther(page, `<iframe src="${test.shell.origin}/"></iframe>`);
    await page.waitForLoadState("networkidle");
    const texts = await Promise.all(page.frames().map((frame) => frame.evaluate(() => document.body.innerText)));
    expect(texts.join()).not.toContain("the page");
  });

  it("blocks inline code, evaluated strings and requests to other servers", async ({ skip }) => {
    const { page, messages } = await profile(skip);
    await page.goto(test.shell.origin);
    const results = await page.evaluate(async (port) => {
      const element = document.createElement("script");
      // Appended as a text node, because assigning it would already throw.
      element.append("window.inline = true");
      document.head.append(element);
      // In a separate task, because the policy does not apply to code evaluated by the test.
      const evaluated = await new Promise((resolve) => {
        setTimeout(() => {
          try {
            Reflect.construct(Function, ["return 1"])();
            resolve(true);
          } catch {
            resolve(false);
          }
        });
      });
      const out = await fetch(`http://127.0.0.1:${port}/`, { mode: "no-cors" }).then(
        () => "sent",
        () => "refused",
      );
      return { inline: "inline" in window, evaluated, out };
    }, otherPort);
    expect(results).toEqual({ inline: false, evaluated: false, out: "refused" });
    expect(messages.join("\n")).toMatch(/Content Security Policy/);
  });
});
