import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { openShell, type OpenShell } from "../e2e/harness/shell.ts";
import { choose, connect } from "../e2e/harness/steps.ts";
import { webDriver } from "../e2e/harness/webDriver.ts";
import { KEY } from "../support/desk.ts";
import { describeInChromium } from "../support/needs.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const DAYS_MS = 40 * 86_400_000;

describeInChromium("a service whose clock is another one", () => {
  let aheadMs = -DAYS_MS;
  let shell: OpenShell;
  beforeAll(async () => {
    shell = await openShell(webDriver, { service: { now: () => Date.now() + aheadMs } });
  });
  afterAll(async () => {
    await shell?.close();
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
});
