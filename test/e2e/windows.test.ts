import type { Locator, Page } from "playwright-core";
import { expect, it } from "vitest";
import { openService } from "../support/openService.ts";
import { KEY, NOW_MS } from "../support/desk.ts";
import { tries } from "../support/endurance.ts";
import { forEachShell } from "./harness/forEachShell.ts";
import { SOON } from "./harness/soon.ts";
import { allCached, choose, connect, drawer, fetchButton, setRange, stations } from "./harness/steps.ts";

function message(page: Page, text: RegExp): Locator {
  return page.getByRole("region", { name: "Messages" }).getByText(text);
}

const service = await openService({
  now: () => NOW_MS,
  organizations: [{ key: KEY, name: "test", owner: "aurora", maxPoints: 3_000, maxConcurrent: 2 }],
});

/** Saves the current view under the name “Storm”, and waits for the message. */
async function save(page: Page, answer: RegExp): Promise<void> {
  await page.keyboard.press("ControlOrMeta+s");
  await page.getByRole("dialog").getByLabel("Name").fill("Storm");
  await page.keyboard.press("Enter");
  await message(page, answer).waitFor();
}

forEachShell("two windows", { shells: tries(1, Infinity) }, (page, shell) => {
  it("share downloads, keep separate selections, and survive the closing of one and a crash of the core", async () => {
    const first = page;
    await connect(first, service.url, KEY);
    await choose(first, ["Kallio"]);
    await setRange(first, "2026-09-01", "2026-09-06");
    const second = await shell.openWindow();
    await stations(second).waitFor();
    await choose(second, ["Torsvika"]);
    const legend = (page: typeof first) => page.getByRole("group", { name: "Stations shown" }).getByRole("button");
    await expect.poll(() => legend(second).allInnerTexts(), SOON).toEqual(["Torsvika"]);
    await expect.poll(() => legend(first).allInnerTexts(), SOON).toEqual(["Kallio"]);
    // The second window saves what it shows when its page is left, so it is the one that saved last.
    await second.reload();
    await first.reload();
    await expect.poll(() => legend(second).allInnerTexts(), SOON).toEqual(["Torsvika"]);
    await expect.poll(() => legend(first).allInnerTexts(), SOON).toEqual(["Kallio"]);

    // The service delays its responses, so that the download is still running below.
    service.setFaults([{ fault: { kind: "slow", delayMs: 600_000 }, endpoints: ["query"] }]);
    await fetchButton(first).click();
    const seen = (await drawer(second)).getByRole("listitem").filter({ hasText: "Kallio" });
    await seen.getByText("Running").waitFor();
    await seen.getByRole("button", { name: "Pause" }).click();
    await (await drawer(first)).getByText("Paused").waitFor();
    service.setFaults([{ fault: { kind: "slow", delayMs: 300 }, endpoints: ["query"] }]);
    await seen.getByRole("button", { name: "Resume" }).click();
    // Wait for the effect: a window that closes at once might cancel the click.
    await (await drawer(first)).getByText("Paused").waitFor({ state: "detached" });
    await second.close();
    await shell.killCore();
    service.setFaults([]);
    await first.getByText(/The core was restarted/).waitFor();
    await allCached(first);
    shell.calm();
    await (await drawer(first)).getByText("Finished").waitFor();
    await expect.poll(() => legend(first).allInnerTexts(), SOON).toEqual(["Kallio"]);
  });

  it("do not undo what the other one has saved since", async () => {
    const first = page;
    const second = await shell.openWindow();
    await stations(second).waitFor();
    await save(first, /“Storm” was saved\.$/);
    await save(first, /“Storm” was saved in place/);
    await save(second, /“Storm” was saved in place/);
    await first.getByRole("button", { name: "Undo" }).click();
    await expect.poll(() => message(first, /“Storm” was changed in another window/).count(), SOON).toBe(1);
    shell.calm();
    await second.close();
  });
});
