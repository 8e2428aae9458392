import { expect, it } from "vitest";
import { forEachShell } from "./harness/forEachShell.ts";
import { shoot } from "./harness/shoot.ts";

forEachShell("first start", {}, (shell) => {
  it("opens with two doors", async () => {
    const { page } = shell();
    await page.getByText("Explore the demo").waitFor();
    expect(await page.title()).toContain("Zenith Desk");
    await shoot(page, "start");
  });
});
