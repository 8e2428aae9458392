import { expect, it } from "vitest";
import { forEachShell } from "./harness/forEachShell.ts";

forEachShell("the lives of the application", {}, (shell) => {
  it("shows the same in two windows", async () => {
    const second = await shell().openWindow();
    await second.getByText("Explore the demo").waitFor();
    expect(second).not.toBe(shell().page);
    await second.close();
  });

  it("goes on when its core dies", async () => {
    await shell().killCore();
    const { page } = shell();
    await page.reload();
    await page.getByText("Explore the demo").waitFor();
    expect(await page.title()).toContain("Zenith Desk");
    shell().calm();
  });

  it("starts again after its end, and after a kill", async () => {
    await shell().restart();
    await shell().page.getByText("Explore the demo").waitFor();
    await shell().killAndRestart();
    await shell().page.getByText("Explore the demo").waitFor();
    expect(await shell().page.title()).toContain("Zenith Desk");
  });
});
