import { expect, it } from "vitest";
import { REQUEST_FORBIDDEN } from "#shared/bridge/methods/jobs.ts";
import type { JobSpec } from "#shared/job/job.ts";
import { connectedWorld, isDownloaded, jobIn, specFor, valueOf } from "./window.ts";

it("leaves forbidden stations out of the estimate and the next download until they are requested explicitly", async () => {
  // At a faster clock, the catalogue would be refreshed without the station.
  const { world, window, connectionId } = await connectedWorld({}, {}, 1);
  const spec = specFor(world, 3);
  const [, gone] = spec.stationIds;
  const estimate = async (withForbidden?: boolean) =>
    valueOf(await window.bridge.jobs.estimate({ connectionId, spec, withForbidden }));
  const fetched = async (what: JobSpec, withForbidden?: boolean) => {
    const job = valueOf(await window.bridge.jobs.start({ connectionId, spec: what, keepUp: false, withForbidden }));
    return jobIn(window, job.id, "finished");
  };
  const day = 2 * 2_880;
  valueOf(await window.bridge.catalogue.refresh({ connectionId }));
  expect(await estimate()).toMatchObject({ pointsToFetch: 3 * day, forbiddenStationIds: [] });
  // The saved catalogue still contains it.
  world.service.setOrganization("test", { withheldStationIds: [gone!] });
  expect((await fetched(spec)).verdictCounts).toMatchObject({ forbidden: 2 });
  expect(await estimate()).toMatchObject({ pointsRequested: 2 * day, pointsToFetch: 0, forbiddenStationIds: [gone] });
  expect(await estimate(true)).toMatchObject({
    pointsRequested: 3 * day,
    pointsToFetch: day,
    forbiddenStationIds: [gone],
  });

  world.service.resetStats();
  const next = { ...spec, range: { startMs: spec.range.endMs, endMs: spec.range.endMs + 86_400_000 } };
  const job = await fetched(next);
  expect(job.spec.stationIds).toEqual(spec.stationIds.filter((id) => id !== gone));
  expect(world.service.stats.log.filter(({ status }) => status === 403)).toEqual([]);
  const alone = { ...spec, stationIds: [gone!] };
  const refused = await window.bridge.jobs.start({ connectionId, spec: alone, keepUp: false });
  expect(refused).toMatchObject({ ok: false, error: { kind: "usage" } });
  expect(refused.ok ? "" : refused.error.message).toContain(REQUEST_FORBIDDEN);

  world.service.setOrganization("test", { withheldStationIds: [] });
  expect((await fetched(spec, true)).verdictCounts).toSatisfy(isDownloaded);
  expect(await estimate()).toMatchObject({ pointsRequested: 3 * day, pointsToFetch: 0, forbiddenStationIds: [] });
});
