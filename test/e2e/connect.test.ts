import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { KEY } from "../support/desk.ts";
import { forEachShell } from "./harness/forEachShell.ts";
import { shoot } from "./harness/shoot.ts";

forEachShell("a service and its key", { service: {} }, (shell) => {
  it("is told precisely when the key is wrong, and connects with the right one", async () => {
    const { page, service } = shell();
    await page.getByLabel("Address of the service").fill(service?.url ?? "");
    await page.getByLabel("API key", { exact: true }).fill("not-the-key");
    await page.getByRole("button", { name: "Test connection" }).click();
    await page.getByRole("alert").filter({ hasText: /key/i }).waitFor();
    await shoot(page, "wrong-key");
    await page.getByLabel("API key", { exact: true }).fill(KEY);
    await page.getByRole("button", { name: "Connect", exact: true }).click();
    await page.getByRole("button", { name: "Connect", exact: true }).waitFor({ state: "hidden" });
    await page.getByText("Arroyo Hondo").first().waitFor();
    expect(service?.stats.requests).toBeGreaterThan(0);
  });

  it("leaves no trace of the key: in the page, in what it is sent, in its storage, in a database", async () => {
    const { page, dataFolder } = shell();
    const frames: Buffer[] = [];
    page.on("websocket", (socket) => {
      socket.on("framereceived", ({ payload }) => frames.push(Buffer.from(payload)));
    });
    await page.reload();
    await page.getByText("Arroyo Hondo").first().waitFor();
    const seen = await page.evaluate(() =>
      JSON.stringify({
        html: document.documentElement.outerHTML,
        values: [...document.querySelectorAll("input")].map((input) => input.value),
        kept: { ...localStorage, ...sessionStorage },
        cookies: document.cookie,
      }),
    );
    expect(seen).not.toContain(KEY);
    expect(Buffer.concat(frames).includes(KEY)).toBe(false);
    const databases = readdirSync(dataFolder).filter((name) => /\.db(-wal)?$/.test(name));
    expect(databases.length).toBeGreaterThan(1);
    for (const name of databases) expect(readFileSync(join(dataFolder, name)).includes(KEY)).toBe(false);
  });
});
