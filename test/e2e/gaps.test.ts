import { afterAll, beforeAll, expect, it } from "vitest";
import { type RunningService, startService } from "#service/index.ts";
import { KEY } from "../support/desk.ts";
import { tinyWorld } from "../service/tinyWorld.ts";
import { SOON } from "./harness/soon.ts";
import { forEachShell } from "./harness/forEachShell.ts";
import { shoot } from "./harness/shoot.ts";
import { allCached, choose, connect, drawer, fetchButton, setRange } from "./harness/steps.ts";

const HOUR_MS = 3_600_000;
const START_MS = Date.UTC(2026, 8, 1);
const NOW_MS = START_MS + 31 * HOUR_MS;

/** Every 5 minutes from the first of September to 06:00 of the second; jammed from 6 to 9, silent from 12 to 14 of the first. */
function epochs() {
  const hours = Array.from({ length: 30 * 12 }, (_, i) => i / 12).filter((hour) => hour < 12 || hour >= 14);
  return hours.map((hour) => ({
    time: new Date(START_MS + hour * HOUR_MS).toISOString(),
    quality: hour >= 6 && hour < 9 ? ("jamming" as const) : ("none" as const),
    ztd: 2400 + 10 * Math.sin(hour / 3),
    sigma: 1.5,
    pwv: 12 + Math.sin(hour / 3),
  }));
}

forEachShell("gaps", {}, (shell) => {
  let service: RunningService;

  beforeAll(async () => {
    const rate = { resolutionSeconds: 300, nativeSeconds: 300, epochs: epochs() };
    service = await startService({
      now: () => NOW_MS,
      world: tinyWorld([
        { ...rate, displayName: "Gappy" },
        { ...rate, displayName: "Taken away" },
      ]),
      organizations: [{ key: KEY, name: "test", owner: "a" }],
    });
  });
  afterAll(() => service.close());

  const causes = () => shell().page.getByRole("list", { name: "Causes of gaps" }).getByRole("listitem").allInnerTexts();

  it("says what was never asked, and what lies before the first observation", async () => {
    const { page } = shell();
    await connect(page, service.url, KEY);
    await choose(page, ["Gappy"]);
    await setRange(page, "2026-08-31 12:00", "2026-09-02 07:00");
    await expect.poll(causes, SOON).toEqual(["not asked", "before history"]);
  });

  it("fetches one gap where it is pressed", async () => {
    const { page } = shell();
    const plot = page.getByRole("region", { name: "Zenith total delay" }).locator("canvas").first();
    const box = (await plot.boundingBox())!;
    await page.mouse.move(box.x + box.width * 0.5, box.y + box.height * 0.5);
    await page.getByRole("tooltip").filter({ hasText: "Gappy: not asked" }).waitFor();
    await page.mouse.click(box.x + box.width * 0.5, box.y + box.height * 0.5);
    const dialog = page.getByRole("dialog", { name: "Not asked yet" });
    await fetchButton(page).or(dialog).first().waitFor();
    await shoot(page, "gap-fetch");
    await dialog.getByRole("button", { name: /^Fetch/ }).click();
    await expect.poll(causes, SOON).toEqual(["none or filtered", "not final", "before history"]);
    // Nothing is left to ask: the gap was fetched with all that is shown.
    await allCached(page);
    expect(service.stats.log.filter((r) => r.endpoint === "query")).toHaveLength(1);
  });

  it("tells silence from the quality filter once the raw series is there", async () => {
    const { page } = shell();
    await page.getByRole("radio", { name: "Raw" }).click();
    await fetchButton(page).click();
    await page.getByRole("radio", { name: "Filtered" }).click();
    await expect.poll(causes, SOON).toEqual(["nothing sent", "filtered out", "not final", "before history"]);
    await shoot(page, "gaps");
  });

  it("says so where the key may not see a station any more, and goes on with the others", async () => {
    const { page } = shell();
    const [, gone] = service.world.stations;
    service.setOrganization("test", { withheldStationIds: [gone!.id] });
    await choose(page, ["Gappy", "Taken away"]);
    await fetchButton(page).click();
    await expect.poll(causes, SOON).toContain("no entitlement");
    const job = (await drawer(page)).getByRole("listitem").first();
    await job
      .getByText(/forbidden/)
      .first()
      .waitFor();
  });
});
