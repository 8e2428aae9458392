import type { Locator, Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { type Answers, interceptAnswers } from "../e2e/harness/answers.ts";
import { forEachShell } from "../e2e/harness/forEachShell.ts";
import { SOON } from "../e2e/harness/soon.ts";
import {
  allCached,
  choose,
  connect,
  drawer,
  fetchButton,
  setRange,
  stations,
  writeButton,
} from "../e2e/harness/steps.ts";
import { KEY, NOW_MS } from "../support/desk.ts";

/** An answer that nobody waits for. */
const ENDLESS = [{ fault: { kind: "slow", delayMs: 3_600_000 }, endpoints: ["query"] }] as const;

/** The bar above the views says this of the selection. */
function said(page: Page, words: RegExp): Locator {
  return page.getByRole("region", { name: "Views" }).getByText(words).first();
}

forEachShell("answers of the core", { shells: 1, service: { now: () => NOW_MS } }, (page, shell) => {
  let answers: Answers;
  beforeAll(async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await connect(page, shell.service!.url, KEY);
    answers = await interceptAnswers(page);
    await stations(page).waitFor();
    await setRange(page, "2026-09-01", "2026-09-01");
    await choose(page, ["Kallio"]);
    await fetchButton(page).click();
    await allCached(page);
    await (await drawer(page)).waitFor();
    await page.keyboard.press("Control+j");
  });

  it("that are late never stand under the name of another station", async () => {
    const details = page.getByRole("region", { name: "Station", exact: true });
    await page.keyboard.press("i");
    await details
      .getByRole("img", { name: /% downloaded/ })
      .first()
      .waitFor();
    const release = [answers.hold("catalogue.strips"), answers.hold("jobs.estimate"), answers.hold("series.gaps")];
    await choose(page, ["Torsvika"]);
    await details.getByRole("heading", { name: "Torsvika" }).waitFor();
    await expect.poll(() => details.getByRole("img", { name: "Reading the cache" }).count(), SOON).toBeGreaterThan(0);
    expect(await details.getByRole("img", { name: /% (not )?downloaded/ }).count()).toBe(0);
    await said(page, /^Counting…/).waitFor();
    expect(await said(page, /^Cached/).count()).toBe(0);
    for (const send of release) send();
    await details
      .getByRole("img", { name: /100 % not downloaded/ })
      .first()
      .waitFor();
    await fetchButton(page).waitFor();
    await page.getByRole("button", { name: "Close the details" }).click();
  });

  it("that are awaited are not missing in a saved figure", async () => {
    await page.keyboard.press("2");
    const send = answers.hold("series.window");
    await page.keyboard.press("1");
    await page.getByRole("group", { name: "Plot" }).waitFor();
    await page.keyboard.press("p");
    await page.getByText(/^The data are still being read/).waitFor();
    send();
    const dialog = page.getByRole("dialog", { name: "Save figure" });
    await expect
      .poll(async () => {
        await page.keyboard.press("p");
        return dialog.count();
      }, SOON)
      .toBe(1);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
  });

  it("for the station under the pointer are read before it is clicked", async () => {
    await fetchButton(page).waitFor();
    const before = answers.count("series.window");
    await stations(page).getByRole("row").filter({ hasText: "Kallio" }).first().hover();
    await expect.poll(() => answers.count("series.window"), SOON).toBeGreaterThan(before);
  });

  it("that fail replace the ones before", async () => {
    shell.expectProblems();
    await fetchButton(page).waitFor();
    const mend = answers.fail("jobs.estimate", "The cost cannot be computed.");
    await fetchButton(page).click();
    await said(page, /^The cost cannot be computed/).waitFor();
    expect(await fetchButton(page).count()).toBe(0);
    expect(await said(page, /^Cached/).count()).toBe(0);
    mend();
    shell.calm();
    // The data arrived, as the cost says when it is asked again.
    await choose(page, ["Kallio"]);
    await said(page, /^(Cached: |Fetch [\d,]+ points)/).waitFor();
    await page.keyboard.press("Control+j");
  });

  it("about satellites that fail are told in one line, and the figures return to their place", async () => {
    await page.getByRole("tab", { name: "Satellites" }).click();
    await page.getByText(/^No satellites of Kallio are cached/).waitFor();
    await fetchButton(page).click();
    const moment = page.getByRole("slider", { name: "Moment of the sky plot" });
    await moment.waitFor();
    await (await drawer(page)).waitFor();
    await page.keyboard.press("Control+j");
    const places = (): Promise<readonly unknown[]> =>
      Promise.all([page.getByRole("region", { name: "Sky plot" }).boundingBox(), moment.boundingBox()]);
    const name = page.getByRole("tabpanel").getByRole("heading", { name: "Kallio" });
    const [before, nameBefore] = [await places(), await name.boundingBox()];
    shell.expectProblems();
    const mend = answers.fail("satellites.read", "The satellites cannot be read.");
    await page.getByRole("button", { name: /^Step back/ }).click();
    await page.getByRole("button", { name: /^Step forward/ }).click();
    const fault = page.getByRole("alert").filter({ hasText: "The satellites cannot be read." });
    await fault.waitFor();
    expect((await fault.boundingBox())!.height).toBeLessThan(40);
    expect(await name.boundingBox()).toEqual(nameBefore);
    mend();
    await fault.getByRole("button", { name: "Try again" }).click();
    await expect.poll(places, SOON).toEqual(before);
    await fault.waitFor({ state: "detached" });
    shell.calm();
    await page.getByRole("tab", { name: "Series" }).click();
  });

  it("of the service that are awaited are not requested again", async () => {
    const { service } = shell;
    await choose(page, ["Lumivaara"]);
    await fetchButton(page).waitFor();
    service!.setFaults(ENDLESS);
    await fetchButton(page).click();
    await said(page, /^Fetching$/).waitFor();
    expect(await fetchButton(page).count()).toBe(0);
    // Nor is a part of it.
    await page.getByRole("tab", { name: "Series" }).click();
    await page.keyboard.press("+");
    await page.getByRole("button", { name: /^Step back by 12 h/ }).waitFor();
    await said(page, /^Fetching$/).waitFor();
    await page.keyboard.press("-");
    // Another selection is offered, and this one is not when it is shown again.
    await choose(page, ["Mariestrand"]);
    await fetchButton(page).waitFor();
    await choose(page, ["Lumivaara"]);
    await said(page, /^Fetching$/).waitFor();
    expect(await fetchButton(page).count()).toBe(0);
    // When it is opened, the list begins with what is awaited, also after an export.
    await choose(page, ["Kallio"]);
    await page.getByRole("button", { name: "Export", exact: true }).click();
    await shell.saved(() => writeButton(page).click());
    await (await drawer(page)).getByText(/^Finished: /).waitFor();
    await page.keyboard.press("Control+j");
    await page.getByRole("region", { name: "Downloads and exports" }).waitFor({ state: "detached" });
    const list = await drawer(page);
    expect(await list.getByRole("listitem").first().innerText()).toContain("Lumivaara");
    await choose(page, ["Lumivaara"]);
    await list.getByRole("button", { name: "Cancel" }).click();
    await fetchButton(page).waitFor();
    service!.setFaults([]);
  });
});
