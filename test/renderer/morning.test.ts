import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { forEachShell } from "../e2e/harness/forEachShell.ts";
import { tries } from "../support/endurance.ts";
import type { OpenShell } from "../e2e/harness/shell.ts";
import { shareButton } from "../e2e/harness/steps.ts";

const WAIT = { timeout: 30_000 };

/** How often the user clicked since the page was loaded. */
async function clicks(page: Page): Promise<number> {
  return page.evaluate(() => (globalThis as unknown as { clicks: number }).clicks);
}

forEachShell("what is done every morning, from the second day on", { shells: tries(1, Infinity) }, (opened) => {
  let shell: OpenShell;
  let page: Page;
  beforeAll(async () => {
    shell = opened();
    page = shell.page;
    await page.getByRole("button", { name: /Explore the demo/ }).click();
    await page.getByText("3 selected").waitFor();
    await page.getByText("Everything is cached").first().waitFor();
    // The first day: what is to be repeated is saved.
    await page.getByRole("button", { name: "Export", exact: true }).click();
    await page.getByRole("button", { name: "Save this export…" }).click();
    await page.getByLabel("Name", { exact: true }).fill("Morning");
    await page.getByRole("button", { name: /Time range of each repetition/ }).click();
    await page.getByRole("option", { name: "Yesterday" }).click();
    await page.getByText("Also save a figure of the series").click();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("list", { name: "Saved exports" }).getByText("Morning", { exact: true }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("tab", { name: "Compare" }).click();
    await page.getByRole("button", { name: "Saved views" }).click();
    await page.getByRole("menuitem", { name: "Save this view…" }).click();
    await page.getByRole("dialog").getByRole("textbox").fill("Two of them");
    await page.getByRole("dialog").getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("tab", { name: "Series" }).click();
    await page.context().addInitScript(() => {
      const counted = globalThis as unknown as { clicks: number };
      counted.clicks = 0;
      addEventListener("click", (event) => (counted.clicks += Number(event.isTrusted && event.detail > 0)), true);
    });
  });

  /** A new day begins with the window as it was. */
  async function nextDay(): Promise<void> {
    await page.reload();
    await page.getByText("3 selected").waitFor();
  }

  it.each(["the second day", "the third day"])(
    "yesterday's data and a figure of my stations take three clicks on %s",
    async () => {
      await nextDay();
      const figure = page.waitForEvent("download", (download) => download.suggestedFilename().endsWith(".png"));
      const { path } = await shell.saved(async () => {
        await page.getByRole("button", { name: "Export", exact: true }).click();
        await page.getByRole("radio", { name: /Saved exports/ }).click();
        await page
          .getByRole("button", { name: /“Morning”$/ })
          .first()
          .click();
      });
      expect(readFileSync(path).subarray(1, 4).toString("latin1")).toBe("HDF");
      expect(
        readFileSync(await (await figure).path())
          .subarray(1, 4)
          .toString("latin1"),
      ).toBe("PNG");
      expect(await clicks(page)).toBeLessThanOrEqual(3);
    },
  );

  it("the reason why a value is missing takes one", async () => {
    await nextDay();
    await page.getByRole("button", { name: "Gaps", exact: true }).click();
    const list = page.getByRole("region", { name: "Gaps and their causes" });
    await list
      .getByText(/missing \(cause unknown\)|may still change/)
      .first()
      .waitFor();
    expect(await clicks(page)).toBeLessThanOrEqual(1);
    await page.keyboard.press("Escape");
  });

  it("the comparison of stations takes two", async () => {
    await nextDay();
    await page.getByRole("button", { name: "Saved views" }).click();
    await page.getByRole("menuitem", { name: "Two of them" }).click();
    await expect.poll(() => page.getByRole("table").getByRole("row").count(), WAIT).toBeGreaterThan(1);
    expect(await clicks(page)).toBeLessThanOrEqual(2);
  });

  it("the view and its data for a colleague take three", async () => {
    await nextDay();
    const { suggestedName } = await shell.saved(async () => {
      await page.getByRole("button", { name: "Saved views" }).click();
      await page.getByRole("menuitem", { name: "Share this view with its data…" }).click();
      await shareButton(page).click();
    });
    expect(suggestedName).toMatch(/\.zenith$/);
    expect(await clicks(page)).toBeLessThanOrEqual(3);
  });
});
