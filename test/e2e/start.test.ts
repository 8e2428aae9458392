import { expect, it } from "vitest";
import { forEachShell } from "./harness/forEachShell.ts";
import { shoot } from "./harness/shoot.ts";

forEachShell("first start", {}, (shell) => {
  it("opens with two doors", async () => {
    const { page } = shell();
    await page.getByRole("button", { name: "Explore the demo" }).waitFor();
    expect(await page.title()).toContain("Zenith Desk");
    await shoot(page, "start");
  });

  it("shows a week of three stations after one click on the demo", async () => {
    const { page } = shell();
    await page.getByRole("button", { name: "Explore the demo" }).click();
    await page.locator("canvas").first().waitFor();
    await page.getByText("Kallio").first().waitFor();
    await page.getByText("All of this is cached").first().waitFor();
    expect(await page.locator("canvas").count()).toBeGreaterThan(0);
    await shoot(page, "series");
  });
});
