import type { StationShapes } from "#shared/bridge/methods/compare.ts";
import type { Shape } from "#shared/plot/figure/scene.ts";
import { yOf } from "#shared/plot/scale.ts";
import { seriesLook } from "#shared/plot/theme.ts";
import { axes, clippedTo, line, emptyMessage } from "./axes.ts";
import type { PlottedStation, Picture } from "./picture.ts";

/** Draws a histogram of formal uncertainties as a stepped line for each station. The last bin contains all larger values. */
export function drawSigma(
  { stations: result, sigmaBinMm }: StationShapes,
  stations: readonly PlottedStation[],
): Picture["draw"] {
  const shares = result.flatMap(({ stationId, sigma }) => {
    const n = sigma.reduce((sum, count) => sum + count, 0);
    return n > 0 ? [{ stationId, shares: Array.from(sigma, (count) => (100 * count) / n) }] : [];
  });
  return (width, height, theme) => {
    if (shares.length === 0) return emptyMessage(width, height, "No uncertainty is cached for this range", theme);
    const last = Math.max(...shares.map((s) => s.shares.findLastIndex((share) => share > 0)));
    const bins = Math.max(4, last + 2);
    const maxShare = Math.max(...shares.flatMap((s) => s.shares));
    const x = { low: 0, high: bins * sigmaBinMm, label: "ZTD σ, mm" };
    const { box, xOf, shapes } = axes(width, height, x, { low: 0, high: maxShare * 1.08, label: "% of values" }, theme);
    const lines = shares.map(({ stationId, shares: ownShares }): Shape => {
      const look = seriesLook(stations.find((s) => s.id === stationId)?.slot ?? 0);
      const points = ownShares.slice(0, bins).flatMap((share, i) => {
        const y = yOf(box, share);
        return [xOf(i * sigmaBinMm), y, xOf((i + 1) * sigmaBinMm), y];
      });
      return line(points, theme.colour(look.variable), 1.5, look.dash);
    });
    return [...shapes, clippedTo(box, lines)];
  };
}
