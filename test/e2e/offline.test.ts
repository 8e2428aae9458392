import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type RunningService, startService } from "#service/index.ts";
import { KEY, NOW_MS } from "../support/desk.ts";
import { tries } from "../support/endurance.ts";
import { SOON } from "./harness/soon.ts";
import { forEachShell } from "./harness/forEachShell.ts";
import { inkOf } from "./harness/ink.ts";
import { shoot } from "./harness/shoot.ts";
import {
  allCached,
  checkNetwork,
  choose,
  connect,
  drawer,
  fetchButton,
  setRange,
  writeButton,
} from "./harness/steps.ts";

function start(port: number): Promise<RunningService> {
  return startService({ port, now: () => NOW_MS, organizations: [{ key: KEY, name: "test", owner: "aurora" }] });
}

forEachShell("without a network", { shells: tries(1, Infinity) }, (page, shell) => {
  let service: RunningService;

  beforeAll(async () => {
    service = await start(0);
  });
  afterAll(() => service.close());

  it("plots, lists and exports cached data", async () => {
    await connect(page, service.url, KEY);
    await choose(page, ["Kallio", "Torsvika"]);
    await setRange(page, "2026-09-01", "2026-09-01");
    await fetchButton(page).click();
    await allCached(page);
    await service.close();

    await checkNetwork(page);
    await page.getByRole("button", { name: /^Status: offline/ }).waitFor();

    await expect.poll(async () => Math.min(...(await inkOf(page, "Zenith total delay"))), SOON).toBeGreaterThan(20);
    await shoot(page, "offline");
    await page.getByRole("tab", { name: "Table" }).click();
    await page.getByText("2026-09-01 00:00:00").first().waitFor();
    await page.getByRole("button", { name: "Export", exact: true }).click();
    await page.getByText("CSV", { exact: true }).first().click();
    const save = writeButton(page);
    const { path } = await shell.saved(() => save.click());
    expect(readFileSync(path, "utf8")).toContain("2026-09-01T00:00:00");
    await page.getByRole("tab", { name: "Series" }).click();
  });

  it("notices by itself that the service responds again, without a download", async () => {
    service = await start(service.port);
    // The question of every minute, which the browser's own news of a network brings forward.
    await page.evaluate(() => dispatchEvent(new Event("online")));
    await page.getByRole("button", { name: /^Status: online/ }).waitFor();
    expect(service.stats.byStatus[200]).toBeGreaterThan(0);
    await service.close();
    await checkNetwork(page);
    await page.getByRole("button", { name: /^Status: offline/ }).waitFor();
  });

  it("queues a download and runs it when the service responds again", async () => {
    await setRange(page, "2026-09-02", "2026-09-02");
    await page.getByRole("button", { name: /^Fetch when online/ }).click();
    const job = (await drawer(page)).getByRole("listitem").filter({ hasText: "2026-09-02 →" });
    await job.getByText(/Waiting for the service/).waitFor();
    await shoot(page, "offline-fetch-waits");
    service = await start(service.port);
    await allCached(page);
    await job.getByText("Finished").waitFor();
    await page.getByRole("button", { name: /^Status: online/ }).waitFor();
    await expect.poll(() => service.stats.byStatus[200], SOON).toBeGreaterThan(0);
  });
});
