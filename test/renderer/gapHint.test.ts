import { expect, it } from "vitest";
import { gapHintWords } from "#renderer/features/series/PlotGaps.tsx";
import { lanesOf, segmentAt } from "#shared/plot/lanes.ts";
import { HOUR_MS } from "#shared/time/utc.ts";

it("the tooltip of a gap shows its cause, duration and the reason of a failure", () => {
  const range = { startMs: 0, endMs: 2 * HOUR_MS };
  const gap = { range, cause: "failed", reason: "The service’s answer cannot be used." } as const;
  const [lane] = lanesOf([{ stationId: "a", gaps: [gap] }], range, 100);
  const piece = segmentAt(lane?.segments ?? [], HOUR_MS, 0);
  expect(piece && gapHintWords(piece)).toBe("failed, 2 h. The service’s answer cannot be used.");
  expect(gapHintWords({ range, cause: "notRequested" })).toBe("not downloaded, 2 h. Click to fetch it.");
});
