import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { leaveOpen } from "../store/killedOpening.ts";
import { makeHome } from "./program.ts";

it("a command waits for the check of a cache that a kill left open, once", async () => {
  const home = makeHome();
  try {
    const words = ["--connection", "demo", "cache", "statistics"];
    expect((await home.run(words)).stderr).toBe("");
    const folder = join(home.folder, "home");
    leaveOpen(
      join(
        folder,
        readdirSync(folder).find((name) => /^cache-.*\.db$/.test(name))!,
      ),
    );
    expect(await home.run(words)).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("was not closed properly; checking the cache first"),
    });
    expect((await home.run(words)).stderr).toBe("");
  } finally {
    home.remove();
  }
});
