import { SATELLITE_VARIABLES, VARIABLES } from "#shared/service/variables.ts";
import { DAY_MS } from "#shared/time/utc.ts";
import { gridFiller } from "./grid.ts";
import { sampleSegment } from "./sampling.ts";
import { satelliteTexts, type SatelliteTexts } from "./satellites.ts";
import type { Site } from "./site.ts";
import { segmentsOf } from "./timeline.ts";
import type { BlockRequest, EpochBlock } from "./types.ts";
import { visibleRange } from "./visible.ts";

const BLOCK_ROWS = 4096;

/**
 * The observations of one station, day by day. No epoch depends on another, so a range can be divided in any way with the
 * same rows. Each iterator reuses one block.
 */
export function* epochsOf(
  site: Site,
  latencyMs: number,
  request: BlockRequest,
  blockRows = BLOCK_ROWS,
): IterableIterator<EpochBlock> {
  const range = visibleRange(site, latencyMs, request);
  if (range.endMs <= range.startMs) return;
  const most = Math.ceil((range.endMs - range.startMs) / site.stepMs);
  const block = emptyBlock(Math.max(1, Math.min(blockRows, most)));
  const filler = gridFiller(site, Math.min(DAY_MS, range.endMs - range.startMs));
  const textsAt = request.satellites ? satelliteTexts(site) : null;
  for (let fromMs = range.startMs; fromMs < range.endMs;) {
    const toMs = Math.min(range.endMs, (Math.floor(fromMs / DAY_MS) + 1) * DAY_MS);
    for (const segment of segmentsOf(site, fromMs, toMs)) {
      if (segment.state === "gap") continue;
      let timeMs = Math.ceil(segment.startMs / site.stepMs) * site.stepMs;
      if (timeMs >= segment.endMs) continue;
      filler.fill(timeMs, segment.endMs);
      while (timeMs < segment.endMs) {
        const before = block.count;
        timeMs = sampleSegment(site, segment, filler.grid, block, timeMs, segment.endMs, request.decimals);
        if (textsAt) writeTexts(block, before, (atMs) => textsAt(atMs, segment));
        if (block.count === block.timesMs.length) {
          yield block;
          block.count = 0;
        }
      }
    }
    fromMs = toMs;
  }
  if (block.count > 0) yield block;
}

/** Fills the texts of the rows from `firstRow` on. */
function writeTexts(block: EpochBlock, firstRow: number, textsAt: (timeMs: number) => SatelliteTexts): void {
  for (let row = firstRow; row < block.count; row++) {
    const texts = textsAt(block.timesMs[row]!);
    for (const name of SATELLITE_VARIABLES) block.columns[name][row] = texts[name];
  }
}

function emptyBlock(rows: number): EpochBlock {
  const column = (): Float64Array => new Float64Array(rows);
  const texts = (): (string | null)[] => Array.from({ length: rows }, () => null);
  return {
    count: 0,
    timesMs: column(),
    quality: new Uint8Array(rows),
    columns: Object.fromEntries(
      VARIABLES.map(({ name, kind }) => [name, kind === "scalar" ? column() : texts()]),
    ) as EpochBlock["columns"],
  };
}
