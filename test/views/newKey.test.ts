import { join } from "node:path";
import { expect, it } from "vitest";
import { forEachShell } from "../e2e/harness/forEachShell.ts";
import { allCached, choose, connect, fetchButton } from "../e2e/harness/steps.ts";
import { KEY } from "../support/desk.ts";
import { tries } from "../support/endurance.ts";
import { axeViolationsInThemes } from "../support/axe.ts";

/** The promise: a key can be renewed after a station has closed, without deleting what is cached of it. */

const RENEWED = "a-renewed-key-0123456789abcdef";

forEachShell("a renewed key", { shells: tries(1, Infinity), service: {} }, (page, shell) => {
  it("that lacks a cached station is accepted once the user confirms its organization", async () => {
    const service = shell.service!;
    await connect(page, service.url, KEY);
    await choose(page, ["Kallio"]);
    await fetchButton(page).click();
    await allCached(page);
    const closed = service.world.stations.find(({ displayName }) => displayName === "Kallio")!;
    service.setOrganizations([{ key: RENEWED, name: "renewed", withheldStationIds: [closed.id] }]);
    await page.getByRole("button", { name: /^Connection: / }).click();
    await page.getByRole("menuitem", { name: /^New key/ }).click();
    const form = page.getByRole("dialog");
    await form.getByLabel("API key", { exact: true }).fill(RENEWED);
    await form.getByRole("button", { name: "Use this key" }).click();
    await form.getByText(/most stations of .*, but not Kallio, so its organization is unknown/).waitFor();
    expect(await axeViolationsInThemes(page)).toEqual([]);
    if (process.env["ZENITH_PICTURES"] === "look")
      await page.screenshot({ path: join("out", "screenshots", "new-key.png") });
    await form.getByText("It is a key of the same organization").click();
    await form.getByRole("button", { name: "Use this key" }).click();
    await page.getByText(/^The new key of .* is in use\.$/).waitFor();
    expect(shell.problems).toEqual([]);
  });
});
