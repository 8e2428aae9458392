import { utc } from "../ui/text.ts";
import { gapMark } from "#shared/plot/gapMarks.ts";
import { allLines, type PanelLine, type PanelModel } from "#shared/plot/panel.ts";
import { readTrack } from "./readout.ts";
import { anyValue, exactValue, roundedValue } from "#shared/plot/values.ts";

/** More lines take too long to listen to. */
const MAX_SPOKEN = 4;

/**
 * Returns the values at a moment as a sentence for each line: "Kallio: ZTD 2,411.3 ±2.1 mm, PWV 21.0 mm."
 *
 * @param onlyId id of the only line to describe; null: the first lines
 */
export function spokenValues(
  models: readonly PanelModel[],
  momentMs: number,
  onlyId: string | null,
  maxLines = MAX_SPOKEN,
): string {
  const lines = new Map(models.flatMap((model) => allLines(model).map((line) => [line.stationId, line] as const)));
  const wanted = [...lines.values()].filter(({ stationId }) => onlyId === null || stationId === onlyId);
  const spoken = wanted.slice(0, maxLines).map((line) => `${line.name}: ${valuesOf(models, line, momentMs)}.`);
  const more = wanted.length - spoken.length;
  return [
    `${utc(Math.round(momentMs))} UTC.`,
    ...spoken,
    ...(more > 0 ? [`${more} more: up and down arrows read one station at a time.`] : []),
  ].join(" ");
}

function valuesOf(models: readonly PanelModel[], { stationId }: PanelLine, momentMs: number): string {
  return models
    .flatMap((model) => {
      const line = allLines(model).find((each) => each.stationId === stationId);
      return line ? [`${model.quantity.short} ${valueOf(model, line, momentMs)}`] : [];
    })
    .join(", ");
}

function valueOf(model: PanelModel, { stationId, track }: PanelLine, momentMs: number): string {
  const read = track ? readTrack(track, momentMs) : null;
  const { unit } = model.quantity;
  if (read === null) {
    const gaps = model.gaps.find((g) => g.stationId === stationId)?.gaps;
    const gap = gaps?.find(({ range }) => momentMs >= range.startMs && momentMs < range.endMs);
    return gap ? gapMark(gap.cause).word : "no value";
  }
  const isOfFile = model.fromFiles.some((each) => each.stationId === stationId);
  if (read.kind === "column") return `mean ${(isOfFile ? anyValue : roundedValue)(read.mean)} ${unit}`;
  const sigma = Number.isNaN(read.sigma) ? "" : ` ±${exactValue(read.sigma)}`;
  return `${(isOfFile ? anyValue : exactValue)(read.value)}${sigma} ${unit}`;
}
