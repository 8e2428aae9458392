import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { forEachShell } from "../e2e/harness/forEachShell.ts";
import { tries } from "../support/endurance.ts";
import { exploreDemo } from "../e2e/harness/steps.ts";
import { scratchFolder } from "../support/folder.ts";

forEachShell("opened files", { shells: tries(1, Infinity) }, (page, shell) => {
  const folder = scratchFolder();

  it("are closed with a message after a crash of the core", async () => {
    await exploreDemo(page);
    const path = join(folder, "mine.csv");
    writeFileSync(path, "station_id,time,ztd_mm\nA,2026-09-01T00:00:00Z,2400.1\nA,2026-09-01T00:05:00Z,2400.2\n");
    await shell.opened(path, () => page.keyboard.press("Control+Shift+o"));
    await page.getByRole("button", { name: "Close mine.csv" }).waitFor();
    await shell.killCore();
    await page.getByText("Closed because the core restarted: mine.csv. Open it again.").waitFor();
    await expect.poll(() => page.getByRole("button", { name: "Close mine.csv" }).count()).toBe(0);
  });
});
