import { readFileSync } from "node:fs";
import { beforeAll, expect, it } from "vitest";
import { forEachShell } from "../e2e/harness/forEachShell.ts";
import { tries } from "../support/endurance.ts";
import type { OpenShell } from "../e2e/harness/shell.ts";
import { SOON } from "../e2e/harness/soon.ts";
import { allCached, choose, connect, drawer, fetchButton, setRange, stations } from "../e2e/harness/steps.ts";
import { KEY, NOW_MS } from "../support/desk.ts";

forEachShell(
  "a station that is no longer listed",
  { shells: tries(1, Infinity), service: { now: () => NOW_MS } },
  (opened) => {
    let shell: OpenShell;
    beforeAll(async () => {
      shell = opened();
    });

    it("has its last name with a note in all views", async () => {
      const { page, service } = shell;
      await connect(page, service!.url, KEY);
      const name = "Kirkkolahti";
      const row = stations(page).getByRole("row").filter({ hasText: name });
      await page.getByRole("searchbox", { name: "Find a station" }).fill(name);
      const id = (await row.getAttribute("data-id"))!;
      const marked = `${name} (no longer listed)`;
      const other = service!.world.stations.find((s) => s.displayName === "Torsvika")!;
      await choose(page, [name, other.displayName]);
      await setRange(page, "2026-09-01", "2026-09-02");
      await page.keyboard.press("e");
      await page.getByText("CSV", { exact: true }).click();
      await page.getByRole("button", { name: "Save this export…" }).click();
      await page.getByLabel("Name", { exact: true }).fill("Both");
      await page.getByRole("button", { name: "Save", exact: true }).click();
      await page.getByRole("list", { name: "Saved exports" }).getByText("Both", { exact: true }).waitFor();
      await page.keyboard.press("Escape");
      await choose(page, [name]);
      await fetchButton(page).click();
      await allCached(page);

      service!.setOrganization("test", { withheldStationIds: [id, other.id] });
      await page.keyboard.press("Control+Shift+r");
      await page.getByRole("searchbox", { name: "Find a station" }).fill(name);
      const found = stations(page).getByRole("row").filter({ hasText: marked });
      await found.waitFor();
      expect(await found.getAttribute("aria-selected")).toBe("true");
      await stations(page).focus();
      await page.getByRole("group", { name: "Stations shown" }).getByRole("button", { name: marked }).waitFor();
      await page.keyboard.press("2");
      await page.getByRole("heading", { name: marked }).or(page.getByText(marked)).first().waitFor();
      await page.keyboard.press("4");
      await page.getByRole("main").getByText(marked).first().waitFor();
      await (await drawer(page)).getByText(marked).first().waitFor();
      await page.keyboard.press("1");
      // Only the details show the id.
      expect(await page.getByRole("main").getByText(id).count()).toBe(0);
      await page.keyboard.press("i");
      await page.getByText("More", { exact: true }).click();
      await page.getByText(id).waitFor();
      await page.keyboard.press("i");
      await page.keyboard.press("e");
      await page.getByRole("dialog").getByText(marked).waitFor();
      // The file name does not contain the note.
      await page
        .getByRole("dialog")
        .getByText(new RegExp(`^${name}[^( ]*\\.nc$`))
        .waitFor();
      // A saved export writes the station with cached data, and names the other one.
      await page.getByRole("radio", { name: /Saved exports · 1/ }).click();
      const { path } = await shell.saved(() =>
        page.getByRole("button", { name: /^(Run|Fetch .*, then write) “Both”$/ }).click(),
      );
      expect(
        new Set(
          readFileSync(path, "utf8")
            .trim()
            .split("\r\n")
            .slice(1)
            .map((line) => line.split(",")[0]),
        ),
      ).toEqual(new Set([id]));
      const listed = await drawer(page);
      await listed.getByText(/^1 station is not in the catalogue of this connection/).waitFor();
      expect(await listed.getByText(/^Stations without data/).count()).toBe(0);
      await page.keyboard.press("Escape");
      await expect.poll(() => page.getByRole("dialog").count(), SOON).toBe(0);
      expect(shell.problems).toEqual([]);
    });
  },
);
