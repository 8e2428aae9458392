import type { StationShapes } from "#shared/bridge/methods/compare.ts";
import type { Shape } from "#shared/plot/figure/scene.ts";
import { yOf } from "#shared/plot/scale.ts";
import { seriesLook } from "#shared/plot/palette.ts";
import { axes, inside, line, nothing } from "./axes.ts";
import type { Drawn, Picture } from "./picture.ts";

/** Shares of formal uncertainties by size, a stepped line for each station. The last bin holds all that is above. */
export function drawSigma({ stations: found, sigmaBinMm }: StationShapes, stations: readonly Drawn[]): Picture["draw"] {
  const shares = found.flatMap(({ stationId, sigma }) => {
    const n = sigma.reduce((sum, count) => sum + count, 0);
    return n > 0 ? [{ stationId, shares: Array.from(sigma, (count) => (100 * count) / n) }] : [];
  });
  return (width, height, theme) => {
    if (shares.length === 0) return nothing(width, height, "No uncertainty is cached for this range", theme);
    const last = Math.max(...shares.map((s) => s.shares.findLastIndex((share) => share > 0)));
    const bins = Math.max(4, last + 2);
    const most = Math.max(...shares.flatMap((s) => s.shares));
    const x = { low: 0, high: bins * sigmaBinMm, label: "ZTD σ, mm" };
    const { box, xOf, shapes } = axes(width, height, x, { low: 0, high: most * 1.08, label: "% of values" }, theme);
    const lines = shares.map(({ stationId, shares: of }): Shape => {
      const look = seriesLook(stations.find((s) => s.id === stationId)?.slot ?? 0);
      const points = of.slice(0, bins).flatMap((share, i) => {
        const y = yOf(box, share);
        return [xOf(i * sigmaBinMm), y, xOf((i + 1) * sigmaBinMm), y];
      });
      return line(points, theme.colour(look.variable), 1.5, look.dash);
    });
    return [...shapes, inside(box, lines)];
  };
}
