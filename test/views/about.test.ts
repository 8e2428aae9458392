import { expect, it } from "vitest";
import { tries } from "../support/endurance.ts";
import { forEachShell } from "../e2e/harness/forEachShell.ts";

forEachShell("about", { shells: tries(1, Infinity) }, (page) => {
  it("shows the licences of everything that the program is built with", async () => {
    await page.getByRole("button", { name: "About", exact: true }).click();
    await page.getByRole("button", { name: "Licences of components" }).click();
    const licences = page.getByRole("region", { name: "Licences of components" });
    await expect.poll(() => licences.innerText()).toContain("SIL OPEN FONT LICENSE");
    const text = await licences.innerText();
    for (const name of ["react 19", "uplot 1", "h5wasm 0", "better-sqlite3 13", "SQLite"]) expect(text).toContain(name);
    await page.keyboard.press("Escape");
  });
});
