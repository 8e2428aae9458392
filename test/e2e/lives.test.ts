import { expect, it } from "vitest";
import { forEachShell } from "./harness/forEachShell.ts";

forEachShell("the application", {}, (shell) => {
  it("opens a second window", async () => {
    const second = await shell().openWindow();
    await second.getByText("Explore the demo").waitFor();
    expect(second).not.toBe(shell().page);
    await second.close();
  });

  it("recovers from a crash of the core", async () => {
    await shell().killCore();
    const { page } = shell();
    await page.reload();
    await page.getByText("Explore the demo").waitFor();
    expect(await page.title()).toContain("Zenith Desk");
    shell().calm();
  });

  it("starts again after it was closed, and after it was killed", async () => {
    await shell().restart();
    await shell().page.getByText("Explore the demo").waitFor();
    await shell().killAndRestart();
    await shell().page.getByText("Explore the demo").waitFor();
    expect(await shell().page.title()).toContain("Zenith Desk");
  });
});
