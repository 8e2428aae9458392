import { beforeAll, expect, it } from "vitest";
import { forEachShell } from "../e2e/harness/forEachShell.ts";
import { tries } from "../support/endurance.ts";
import type { OpenShell } from "../e2e/harness/shell.ts";
import { choose, connect } from "../e2e/harness/steps.ts";
import { KEY } from "../support/desk.ts";

/** How far the clock of the service is ahead of this computer's. */
let aheadMs = 0;

forEachShell(
  "a service whose clock is another one",
  { shells: tries(1, Infinity), service: { now: () => Date.now() + aheadMs } },
  (opened) => {
    let shell: OpenShell;
    beforeAll(() => {
      aheadMs = -40 * 86_400_000;
      shell = opened();
    });

    it("is told of, with what to do, until the clocks agree again", async () => {
      const { page, service } = shell;
      await connect(page, service!.url, KEY);
      const network = page.getByRole("button", { name: "Network: online, clocks differ" });
      await network.click();
      await page.getByText(/about 40 days ahead of the clock of the service/).waitFor();
      aheadMs = 0;
      const agreeing = page.getByRole("button", { name: "Network: online", exact: true });
      for (let asked = 0; asked < 8 && (await agreeing.count()) === 0; asked++) {
        await page.getByRole("button", { name: "Check now" }).click();
        await page.getByRole("button", { name: "Check now" }).waitFor();
      }
      await page.keyboard.press("Escape");
      await agreeing.waitFor();
      expect(await page.getByText(/clocks differ/).count()).toBe(0);
    });

    it("shows beside its stations who owns their network, and who sees it", async () => {
      const { page } = shell;
      await choose(page, ["Kirkkolahti"]);
      await page.getByText("Owner", { exact: true }).waitFor();
      await page.getByText("Visibility", { exact: true }).waitFor();
      await page.getByText(/^(your|another) organization$/).waitFor();
      expect(shell.problems).toEqual([]);
    });
  },
);
