import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import type { Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { KEY } from "../support/desk.ts";
import { tries } from "../support/endurance.ts";
import { SOON } from "./harness/soon.ts";
import { forEachShell } from "./harness/forEachShell.ts";
import { nothing, selfSigned, webPage } from "./harness/impostors.ts";
import { shoot } from "./harness/shoot.ts";
import { connect, stations } from "./harness/steps.ts";
import { itNightly } from "../support/needs.ts";

/** Tests a connection in the form and returns the message. */
async function testConnection(page: Page, address: string, key: string): Promise<string> {
  await page.getByLabel("Address of the service").fill(address);
  await page.getByLabel("API key", { exact: true }).fill(key);
  await page.getByRole("button", { name: "Test connection" }).click();
  return page.getByRole("alert").innerText();
}

forEachShell("connecting to a service", { shells: tries(1, Infinity), service: {} }, (page, shell) => {
  const frames: Buffer[] = [];
  const consoleMessages: string[] = [];

  beforeAll(() => {
    page.on("console", (message) => consoleMessages.push(message.text()));
    page.on("websocket", (socket) => {
      socket.on("framereceived", ({ payload }) => frames.push(Buffer.from(payload)));
    });
  });

  itNightly("reports a wrong key, path, address or certificate", async (context) => {
    const { service } = shell;
    const url = service!.url;
    expect(await testConnection(page, url, "not-the-key")).toMatch(
      /does not accept the API key \(401\)\. Check the key/,
    );
    await shoot(page, "wrong-key");
    expect(await testConnection(page, `${url}/somewhere`, KEY)).toMatch(/Check the address|check the address/);
    const closed = await nothing();
    expect(await testConnection(page, closed.url, KEY)).toMatch(/Nothing answers at 127\.0\.0\.1.*Check the address/);
    const other = await webPage();
    expect(await testConnection(page, other.url, KEY)).toMatch(/no answer of this service|web page/);
    await other.close();
    const secure = await selfSigned();
    if (!secure) return context.skip("there is no openssl to make a certificate with");
    expect(await testConnection(page, secure.url, KEY)).toMatch(/certificate/);
    await secure.close();
  });

  /** Where the fields and buttons of the form are on the page, which a click may scroll. */
  const places = (): Promise<unknown> =>
    page.locator("main").evaluate((main) =>
      [...main.querySelectorAll("form :is(input, button)")].map((e) => {
        const { x, y } = e.getBoundingClientRect();
        return [x, y + main.scrollTop];
      }),
    );

  it("marks missing fields, moves nothing and sends no request", async () => {
    const { service } = shell;
    const before = service!.stats.requests;
    const placesBefore = await places();
    await page.getByLabel("Address of the service").fill("");
    await page.getByLabel("API key", { exact: true }).fill("");
    await page.getByRole("button", { name: "Test connection" }).click();
    await expect.poll(() => page.locator("input:invalid, input[aria-invalid=true]").count(), SOON).toBeGreaterThan(0);
    expect(await places()).toEqual(placesBefore);
    expect(service!.stats.requests).toBe(before);
  });

  it("tests the connection again if the key changed during the test", async () => {
    const { service } = shell;
    service!.setFaults([{ fault: { kind: "slow", delayMs: 1_500 } }]);
    const before = service!.stats.log.length;
    await page.getByLabel("Address of the service").fill(service!.url);
    await page.getByLabel("API key", { exact: true }).fill(KEY);
    await page.getByRole("button", { name: "Test connection" }).click();
    await expect.poll(() => service!.stats.log.length, SOON).toBeGreaterThan(before);
    await page.getByLabel("API key", { exact: true }).fill("not-the-key");
    const placesBefore = await places();
    await expect.poll(() => service!.stats.log[before]?.status, SOON).toBe(200);
    service!.setFaults([]);
    await page.getByRole("button", { name: "Connect", exact: true }).click();
    await expect.poll(() => page.getByRole("alert").innerText(), SOON).toMatch(/does not accept the API key/);
    expect(await places()).toEqual(placesBefore);
  });

  it("connects with a valid key and lists all stations", async () => {
    const { service } = shell;
    // Spaces around a pasted key are not part of it.
    await connect(page, service!.url, ` ${KEY} `);
    const { length } = service!.world.stations;
    await page.getByRole("heading", { name: `Stations ${length}` }).waitFor();
    await expect.poll(() => stations(page).getAttribute("aria-rowcount"), SOON).toBe(String(length + 1));
  });

  it("does not expose the key in the page, its messages, storage or console, or in files except the key file", async () => {
    const { dataFolder } = shell;
    await page.reload();
    await stations(page).waitFor();
    const seen = await page.evaluate(() =>
      JSON.stringify({
        html: document.documentElement.outerHTML,
        values: [...document.querySelectorAll("input")].map((input) => input.value),
        kept: { ...localStorage, ...sessionStorage },
        cookies: document.cookie,
      }),
    );
    expect(seen).not.toContain(KEY);
    expect(consoleMessages.join("\n")).not.toContain(KEY);
    expect(frames.length).toBeGreaterThan(0);
    expect(Buffer.concat(frames).includes(KEY)).toBe(false);
    const files = filesIn(dataFolder).filter((path) => readFileSync(path).includes(KEY));
    // Without a secret store of the system, only a file that no other account can read contains the key.
    expect(files).toHaveLength(shell.kind === "web" ? 1 : 0);
    for (const path of files) expect(relative(dataFolder, path)).toMatch(/^keys/);
    for (const path of files) expect(statSync(path).mode & 0o077).toBe(0);
  });
});

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
