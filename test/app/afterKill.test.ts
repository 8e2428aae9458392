import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { leaveOpen } from "../store/killedOpening.ts";
import { connect, event, openWorld, valueOf } from "./window.ts";

it("a window opens a cache that a kill left open at once, and reports the progress of its check", async () => {
  const world = await openWorld();
  try {
    const first = world.open();
    const connectionId = await connect(world, first);
    await first.app.close();
    leaveOpen(
      join(
        world.folder,
        readdirSync(world.folder).find((name) => /^cache-.*\.db$/.test(name))!,
      ),
    );

    const window = world.open();
    const ended = event(window, "workProgress", ({ share }) => share === 1);
    const { checkId } = valueOf(await window.bridge.connections.open({ connectionId }));
    expect(checkId).not.toBe(null);
    expect((await ended).workId).toBe(checkId);
    expect(valueOf(await window.bridge.connections.open({ connectionId })).checkId).toBe(null);
    await window.app.close();

    const again = world.open();
    expect(valueOf(await again.bridge.connections.open({ connectionId })).checkId).toBe(null);
  } finally {
    await world.close();
  }
});
