import { createServer, type Server } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { chromiumPath, launchChromium } from "../e2e/harness/chromium.ts";
import { openTestShell, type TestShell } from "./shell.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

// What a browser makes of the headers is for a browser to say.
describe("the web shell in a browser", () => {
  let test: TestShell;
  let browser: Browser | null = null;
  let other: Server;
  let otherPort = 0;
  let served = "";
  beforeAll(async () => {
    if (chromiumPath() === null) return;
    browser = await launchChromium();
    test = await openTestShell();
    other = createServer((_request, response) => {
      response.setHeader("content-type", "text/html; charset=utf-8");
      response.end(`<!doctype html>${served}`);
    });
    await once(other.listen(0, "127.0.0.1"), "listening");
    otherPort = (other.address() as AddressInfo).port;
  });
  afterAll(async () => {
    await browser?.close();
    await test?.close();
    other?.close();
  });

  /** A fresh profile, and what every page of it wrote to the console. */
  async function profile(skip: (why: string) => void): Promise<{ page: Page; said: string[] }> {
    if (!browser) {
      skip("there is no Chromium on this computer (CHROMIUM names one)");
      throw new Error("skipped");
    }
    const page = await (await browser.newContext()).newPage();
    const said: string[] = [];
    page.on("console", (message) => said.push(message.text()));
    return { page, said };
  }

  /** The page of another server on this computer, under the same name or another one. */
  async function elsewhere(page: Page, html: string, name = "127.0.0.1"): Promise<void> {
    served = html;
    await page.goto(`http://${name}:${otherPort}/`);
  }

  it("takes the token off the address, and gives no script the cookie", async ({ skip }) => {
    const { page } = await profile(skip);
    await page.goto(test.shell.link);
    expect(page.url()).toBe(`${test.shell.origin}/`);
    expect(await page.textContent("p")).toBe("the page");
    expect(await page.evaluate(() => document.cookie)).toBe("");
    const [cookie] = await page.context().cookies();
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: "Strict", expires: -1 });
    await page.goBack().catch(() => null);
    expect(page.url()).not.toContain(test.token);
    expect(await page.evaluate(() => document.referrer)).not.toContain(test.token);
  });

  it("opens from a link on another site's page too", async ({ skip }) => {
    const { page } = await profile(skip);
    await elsewhere(page, `<a href="${test.shell.link}">open</a>`, "localhost");
    await page.click("a");
    await page.getByText("the page").waitFor();
    expect(page.url()).toBe(`${test.shell.origin}/`);
    expect(await page.evaluate(() => document.referrer)).toBe("");
  });

  it("takes a file from its own page, and from no other that has the cookie too", async ({ skip }) => {
    const { page } = await profile(skip);
    const send = (origin: string): Promise<unknown> =>
      page.evaluate(async (address) => {
        const body = new File(["station_id,time,ztd_mm"], "Ä.csv");
        const answer = await fetch(`${address}/open?name=%C3%84.csv`, { method: "POST", body }).catch(() => null);
        return answer && (answer.ok ? ((await answer.json()) as unknown) : answer.status);
      }, origin);
    await page.goto(test.shell.link);
    expect(await send("")).toMatchObject({ name: "Ä.csv", bytes: 22, kind: "data" });
    await elsewhere(
      page,
      `<form id="f" method="post" enctype="text/plain" action="${test.shell.origin}/open?name=x"></form>`,
    );
    expect(await send(test.shell.origin)).toBeNull();
    const sent = page.waitForResponse((response) => response.url().includes("/open"));
    await page.evaluate(() => document.querySelector("form")?.submit());
    expect((await sent).status()).toBe(403);
  });

  it("gives another port's page nothing, although its requests carry the cookie", async ({ skip }) => {
    const { page } = await profile(skip);
    await page.goto(test.shell.link);
    await elsewhere(page, "<p>another program's page");
    const got = await page.evaluate(
      async ({ origin, socket }) => {
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
          const attempt = new WebSocket(socket);
          attempt.addEventListener("open", () => resolve("open"));
          attempt.addEventListener("error", () => resolve("refused"));
        });
        return { read, blind, script, opened };
      },
      { origin: test.shell.origin, socket: `ws://${test.host}/bridge` },
    );
    expect(got).toEqual({ read: "refused", blind: "refused", script: "refused", opened: "refused" });
  });

  it("is shown in no frame of another page", async ({ skip }) => {
    const { page } = await profile(skip);
    await page.goto(test.shell.link);
    await elsewhere(page, `<iframe src="${test.shell.origin}/"></iframe>`);
    await page.waitForLoadState("networkidle");
    const texts = await Promise.all(page.frames().map((frame) => frame.evaluate(() => document.body.innerText)));
    expect(texts.join()).not.toContain("the page");
  });

  it("lets no code into the page but its own files, and nothing out of it", async ({ skip }) => {
    const { page, said } = await profile(skip);
    await page.goto(test.shell.link);
    const got = await page.evaluate(async (port) => {
      const element = document.createElement("script");
      element.textContent = "window.inline = true";
      document.head.append(element);
      // In a task of its own: what the test itself runs in the page is let through.
      const evaluated = await new Promise((resolve) => {
        setTimeout(() => {
          try {
            // oxlint-disable-next-line no-implied-eval -- this is what must not work
            new Function("return 1")();
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
    expect(got).toEqual({ inline: false, evaluated: false, out: "refused" });
    expect(said.join("\n")).toMatch(/Content Security Policy/);
  });
});
