import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chromiumPath } from "../e2e/harness/chromium.ts";
import { openShell, type OpenShell } from "../e2e/harness/shell.ts";
import { SOON } from "../e2e/harness/soon.ts";
import { webDriver } from "../e2e/harness/webDriver.ts";

/** What the page asked of the core, as text: from when this is called on. */
function asked(page: Page): string[] {
  const sent: string[] = [];
  page.on("websocket", (socket) =>
    socket.on("framesent", ({ payload }) => sent.push(Buffer.from(payload).toString("latin1"))),
  );
  return sent;
}

describe.skipIf(chromiumPath() === null)("reading ahead of a choice", () => {
  let shell: OpenShell;
  let sent: string[];
  beforeAll(async () => {
    shell = await openShell(webDriver);
    const { page } = shell;
    await page.getByRole("button", { name: /Explore the demo/ }).click();
    await page.getByText("All of this is cached").waitFor({ timeout: 60_000 });
    sent = asked(page);
    // The socket is one of before.
    await page.reload();
    await page.locator("[role=grid] [data-id]").nth(5).waitFor();
  }, 120_000);
  afterAll(async () => {
    await shell?.close();
  });

  const windowsOf = (id: string): number =>
    sent.filter((one) => one.includes("series.window") && one.includes(id)).length;
  const rowOf = (isChosen: boolean) => shell.page.locator(`[role=grid] [data-id][aria-selected=${isChosen}]`).first();

  it("asks for a station that the pointer is on, once, and for none that is drawn already", async () => {
    const other = rowOf(false);
    const id = (await other.getAttribute("data-id"))!;
    expect(windowsOf(id)).toBe(0);
    await other.hover();
    await expect.poll(() => windowsOf(id), SOON).toBe(1);
    const drawn = (await rowOf(true).getAttribute("data-id"))!;
    const before = windowsOf(drawn);
    await rowOf(true).hover();
    // By what comes after: the pointer is on a third one, and that was asked for.
    const third = shell.page.locator("[role=grid] [data-id][aria-selected=false]").nth(1);
    await third.hover();
    const thirdId = (await third.getAttribute("data-id"))!;
    await expect.poll(() => windowsOf(thirdId), SOON).toBe(1);
    expect(windowsOf(drawn)).toBe(before);
    expect(windowsOf(id)).toBe(1);
  });

  it("asks for one that the keyboard comes to", async () => {
    const { page } = shell;
    await page.mouse.move(700, 5);
    await page.getByRole("grid", { name: "Stations" }).focus();
    await page.keyboard.press("End");
    const last = page.locator("[role=grid] [data-id][data-focused]");
    await last.waitFor();
    const id = (await last.getAttribute("data-id"))!;
    await expect.poll(() => windowsOf(id), SOON).toBe(1);
  });
});
