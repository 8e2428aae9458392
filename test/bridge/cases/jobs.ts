import { expect } from "vitest";
import type { Job } from "#shared/bridge/methods/jobs.ts";
import { type Cases, connectService, jobIn, smallSpec, valueOf, type World } from "./case.ts";

export const jobCases: Cases<`jobs.${string}`> = {
  async "jobs.estimate"(world) {
    const connectionId = await connectService(world);
    const estimate = valueOf(await world.bridge.jobs.estimate({ connectionId, spec: smallSpec(world, 20) }));
    expect(estimate).toMatchObject({ pointsRequested: 240, pointsKnown: 0, pointsToFetch: 240, requests: 1 });
    const whole = smallSpec(world, 20);
    const ranges = [0, 20].map((minutes) => {
      const startMs = whole.range.startMs + minutes * 60_000;
      return { startMs, endMs: startMs + 300_000 };
    });
    const spec = { ...whole, only: [{ stationId: whole.stationIds[0]!, ranges }] };
    const parts = valueOf(await world.bridge.jobs.estimate({ connectionId, spec }));
    expect(parts).toMatchObject({ pointsRequested: 20, pointsKnown: 0, pointsToFetch: 20, requests: 2 });
  },
  async "jobs.start"(world) {
    const changed = new Promise((resolve) => world.bridge.on("cacheChanged", resolve));
    const job = await finished(world, 1);
    expect(job).toMatchObject({ state: "finished", keepUp: false, nextRunMs: null });
    expect(await changed).toMatchObject({ connectionId: job.connectionId });
  },
  async "jobs.list"(world) {
    const job = await finished(world, 2);
    const [newest] = valueOf(await world.bridge.jobs.list({}));
    expect(newest).toMatchObject({ id: job.id, spec: job.spec });
  },
  async "jobs.pause"(world) {
    const { id } = await started(world, 3);
    const paused = valueOf(await world.bridge.jobs.pause({ jobId: id }));
    expect(["paused", "finished"]).toContain(paused.state);
    await jobIn(world, id, ["paused", "finished"]);
  },
  async "jobs.resume"(world) {
    const { id } = await started(world, 4);
    valueOf(await world.bridge.jobs.pause({ jobId: id }));
    await jobIn(world, id, ["paused", "finished"]);
    valueOf(await world.bridge.jobs.resume({ jobId: id }));
    await jobIn(world, id, ["finished"]);
  },
  async "jobs.cancel"(world) {
    const { id } = await started(world, 5);
    valueOf(await world.bridge.jobs.cancel({ jobId: id }));
    await jobIn(world, id, ["cancelled", "finished"]);
  },
  async "jobs.setKeepUp"(world) {
    const { id } = await finished(world, 6);
    expect(valueOf(await world.bridge.jobs.setKeepUp({ jobId: id, keepUp: true })).keepUp).toBe(true);
    expect(valueOf(await world.bridge.jobs.setKeepUp({ jobId: id, keepUp: false })).keepUp).toBe(false);
  },
  async "jobs.remove"(world) {
    const { id } = await finished(world, 7);
    const removed = new Promise((resolve) => world.bridge.on("jobRemoved", resolve));
    expect(valueOf(await world.bridge.jobs.remove({ jobId: id }))).toBeNull();
    expect(await removed).toEqual({ jobId: id });
    expect(valueOf(await world.bridge.jobs.list({})).map((job) => job.id)).not.toContain(id);
  },
  async "jobs.verdicts"(world) {
    const { id } = await finished(world, 8);
    const [verdict] = valueOf(await world.bridge.jobs.verdicts({ jobId: id }));
    expect(verdict).toMatchObject({ variable: "ztd", state: expect.stringMatching(/^(ok|empty|stale)$/) });
  },
};

async function started(world: World, dayOffset: number): Promise<Job> {
  const connectionId = await connectService(world);
  return valueOf(await world.bridge.jobs.start({ connectionId, spec: smallSpec(world, dayOffset), keepUp: false }));
}

async function finished(world: World, dayOffset: number): Promise<Job> {
  return jobIn(world, (await started(world, dayOffset)).id, ["finished"]);
}
