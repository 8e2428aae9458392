import { count } from "#shared/text.ts";
import { EARTH_M } from "./camera.ts";

interface ScaleBar {
  readonly lengthM: number;
  readonly widthPx: number;
  /** "200 km" */
  readonly text: string;
}

/** Returns the longest round distance that is at most `maxPx` wide at the centre of the map. */
export function scaleBar(scale: number, maxPx: number): ScaleBar {
  const maxM = (maxPx / scale) * EARTH_M;
  const power = 10 ** Math.floor(Math.log10(maxM));
  const lengthM = power * ([5, 2, 1].find((n) => n * power <= maxM) ?? 1);
  const text = lengthM >= 1_000 ? `${count(lengthM / 1_000)} km` : `${lengthM} m`;
  return { lengthM, widthPx: (lengthM / EARTH_M) * scale, text };
}
