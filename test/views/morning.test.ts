import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { forEachShell } from "../e2e/harness/forEachShell.ts";
import { tries } from "../support/endurance.ts";
import { exploreDemo, shareButton } from "../e2e/harness/steps.ts";

const WAIT = { timeout: 30_000 };

/** The number of clicks since the page was loaded. */
async function clicks(page: Page): Promise<number> {
  return page.evaluate(() => (globalThis as unknown as { clicks: number }).clicks);
}

forEachShell("daily tasks after the first day", { shells: tries(1, Infinity) }, (page, shell) => {
  beforeAll(async () => {
    await exploreDemo(page);
    // The first day: save an export and a view.
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
    await page.getByRole("button", { name: /^Connection:/ }).click();
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

  /** Reloads the window in its last state, like on a new day. */
  async function nextDay(): Promise<void> {
    await page.reload();
    await page.getByText("3 selected").waitFor();
  }

  it.each(["the second day", "the third day"])(
    "exporting yesterday's data and a figure of the stations takes three clicks on %s",
    async () => {
      await nextDay();
      const figure = page.waitForEvent("download", (download) => download.suggestedFilename().endsWith(".pdf"));
      const { path } = await shell.saved(
        async () => {
          await page.getByRole("button", { name: "Export", exact: true }).click();
          await page.getByRole("radio", { name: /Saved exports/ }).click();
          await page
            .getByRole("button", { name: /“Morning”$/ })
            .first()
            .click();
        },
        page,
        ".nc",
      );
      expect(readFileSync(path).subarray(1, 4).toString("latin1")).toBe("HDF");
      expect(
        readFileSync(await (await figure).path())
          .subarray(1, 4)
          .toString("latin1"),
      ).toBe("PDF");
      expect(await clicks(page)).toBeLessThanOrEqual(3);
    },
  );

  it("showing the reason for a missing value takes one click", async () => {
    await nextDay();
    await page.getByRole("button", { name: "Gaps", exact: true }).click();
    const list = page.getByRole("region", { name: "Gaps and their causes" });
    await list
      .getByText(/missing \(cause unknown\)|may still arrive/)
      .first()
      .waitFor();
    expect(await clicks(page)).toBeLessThanOrEqual(1);
    await page.keyboard.press("Escape");
  });

  it("comparing stations takes two clicks", async () => {
    await nextDay();
    await page.getByRole("button", { name: /^Connection:/ }).click();
    await page.getByRole("menuitem", { name: "Two of them" }).click();
    await expect.poll(() => page.getByRole("table").getByRole("row").count(), WAIT).toBeGreaterThan(1);
    expect(await clicks(page)).toBeLessThanOrEqual(2);
  });

  it("sharing the view with its data takes three clicks", async () => {
    await nextDay();
    const { suggestedName } = await shell.saved(async () => {
      await page.getByRole("button", { name: /^Connection:/ }).click();
      await page.getByRole("menuitem", { name: "Share this view with its data…" }).click();
      await shareButton(page).click();
    });
    expect(suggestedName).toMatch(/\.zenith$/);
    expect(await clicks(page)).toBeLessThanOrEqual(3);
  });

  it("exporting with one key takes the time of the morning page there, at each visit, and works in every section", async () => {
    await nextDay();
    const range = page.getByRole("group", { name: "Time range" }).getByRole("button").first();
    // Without its times, which go on meanwhile.
    const rangeName = async (): Promise<string> => (await range.innerText()).split("\n").at(-1) ?? "";
    const exported = async (): Promise<string> => {
      await page.keyboard.press("e");
      const dialog = page.getByRole("dialog", { name: "Export" });
      await dialog.waitFor();
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
      return rangeName();
    };
    const ofMorning = async (): Promise<string> => {
      await page.keyboard.press("m");
      await page.getByRole("region", { name: "Stations since yesterday" }).waitFor();
      return exported();
    };
    expect(await ofMorning()).toBe("yesterday → now");
    await page.keyboard.press("-");
    await expect.poll(rangeName, WAIT).not.toBe("yesterday → now");
    expect(await ofMorning()).toBe("yesterday → now");
    await page.keyboard.press("m");
    await page.getByRole("radio", { name: "Schedules" }).click();
    await page.getByRole("heading", { name: "Schedules", exact: true }).waitFor();
    expect(await exported()).toBe("yesterday → now");
  });
});
