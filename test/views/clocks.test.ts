import { beforeAll, expect, it } from "vitest";
import { forEachShell } from "../e2e/harness/forEachShell.ts";
import { tries } from "../support/endurance.ts";
import { choose, connect, stations } from "../e2e/harness/steps.ts";
import { KEY } from "../support/desk.ts";

/** The offset of the clock of the service from that of this computer. */
let offsetMs = 0;

forEachShell(
  "a service with a different clock",
  { shells: tries(1, Infinity), service: { now: () => Date.now() + offsetMs } },
  (page, shell) => {
    beforeAll(() => {
      offsetMs = -40 * 86_400_000;
    });

    it("is reported with the difference until the clocks agree again", async () => {
      const { service } = shell;
      await connect(page, service!.url, KEY);
      const network = page.getByRole("button", { name: /^Status: online, clocks differ/ });
      await network.click();
      await page.getByText(/about 40 days ahead of the clock of the service/).waitFor();
      offsetMs = 0;
      const agreeing = page.getByRole("button", { name: /^Status: online ·/ });
      for (let checks = 0; checks < 8 && (await agreeing.count()) === 0; checks++) {
        await page.getByRole("button", { name: "Check now" }).click();
        await page.getByRole("button", { name: "Check now" }).waitFor();
      }
      await agreeing.waitFor();
      expect(await page.getByText(/clocks differ/).count()).toBe(0);
    });

    it("has the owner and visibility of networks in the details of stations", async () => {
      await choose(page, ["Kirkkolahti"]);
      await stations(page).focus();
      await page.keyboard.press("i");
      await page.getByText("Owner", { exact: true }).waitFor();
      await page.getByText("Visibility", { exact: true }).waitFor();
      await page.getByText(/^(your|another) organization$/).waitFor();
      expect(shell.problems).toEqual([]);
    });
  },
);
