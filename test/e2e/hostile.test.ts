import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { openService } from "../support/openService.ts";
import { tinyWorld } from "../service/tinyWorld.ts";
import { KEY } from "../support/desk.ts";
import { tries } from "../support/endurance.ts";
import { SOON } from "./harness/soon.ts";
import { forEachShell } from "./harness/forEachShell.ts";
import { shoot } from "./harness/shoot.ts";
import { allCached, connect, fetchButton, setRange, stations, writeButton } from "./harness/steps.ts";

const NAMES = [
  `<img src=x onerror="document.title='owned'"><script>document.title='owned'</script>`,
  `=HYPERLINK("http://127.0.0.1:9/";"x")`,
  "../../../../etc/passwd",
  "CON",
  "Right \u202egnol ot tfel",
  "Nul\u0000l and\nline",
  `"; DROP TABLE station; --`,
  `Long ${"x".repeat(5_000)}`,
];

/** One observation every 5 minutes of a day. */
const epochs = Array.from({ length: 288 }, (_, i) => ({
  time: new Date(Date.UTC(2026, 8, 1) + i * 300_000).toISOString(),
  ztd: 2400 + (i % 7),
  sigma: 1,
  pwv: 12,
}));

const service = await openService({
  now: () => Date.UTC(2026, 8, 2),
  world: tinyWorld(
    NAMES.map((name) => ({
      displayName: name,
      locationAlias: name,
      resolutionSeconds: 300,
      nativeSeconds: 300,
      epochs,
    })),
  ),
  organizations: [{ key: KEY, name: "test", owner: "a" }],
});

forEachShell("hostile station names", { shells: tries(1, Infinity) }, (page, shell) => {
  it("are shown as text and run no code", async () => {
    await connect(page, service.url, KEY);
    await page.getByRole("heading", { name: `Stations ${NAMES.length}` }).waitFor();
    await stations(page).focus();
    await page.keyboard.press("Control+a");
    await setRange(page, "2026-09-01", "2026-09-01");
    await fetchButton(page).click();
    await allCached(page);
    for (const name of NAMES.slice(0, 4)) await stations(page).getByText(name, { exact: true }).first().waitFor();
    await shoot(page, "hostile-names");
    for (const key of ["2", "6"]) await page.keyboard.press(key);
    await page.getByRole("tab", { name: "Series" }).click();
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Search stations and commands" }).fill("img");
    await page.getByRole("option").filter({ hasText: "<img" }).first().waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(await page.title()).toContain("Zenith Desk");
    expect(await page.locator("img, main script, grid script").count()).toBe(0);
  });

  it("do not affect the name of an exported file, and are escaped in CSV", async () => {
    await page.getByRole("button", { name: "Export", exact: true }).click();
    await page.getByText("CSV", { exact: true }).first().click();
    const save = writeButton(page);
    const { path, suggestedName } = await shell.saved(() => save.click());
    expect(suggestedName).toMatch(/^\d[\w. -]+\.csv$/);
    const text = readFileSync(path, "utf8");
    expect(text).not.toMatch(/(^|[,;\n])"?[=@+]/);
    expect(text).not.toContain("\u202e");
    expect(text).not.toContain("\u0000");
    await expect.poll(() => page.title(), SOON).toContain("Zenith Desk");
  });
});
