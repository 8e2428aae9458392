// OKLab, a colour space in which equal steps look equal (Ottosson 2020).

type OkLab = readonly [lightness: number, a: number, b: number];

/** Converts "#rrggbb" to OKLab. */
export function hexToLab(hex: string): OkLab {
  const channel = (at: number): number => toLinear(Number.parseInt(hex.slice(at, at + 2), 16) / 255);
  const [r, g, b] = [channel(1), channel(3), channel(5)];
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

/** Converts OKLab to the nearest "#rrggbb" of sRGB. */
function labToHex([lightness, a, b]: OkLab): string {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const rgb = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
  return `#${rgb
    .map((c) =>
      Math.round(255 * toGamma(Math.min(1, Math.max(0, c))))
        .toString(16)
        .padStart(2, "0"),
    )
    .join("")}`;
}

/** Returns `steps` colours from the first stop to the last, evenly spaced through all stops. */
export function ramp(stops: readonly string[], steps: number): string[] {
  const labs = stops.map(hexToLab);
  return Array.from({ length: steps }, (_, i) => {
    const at = (i / Math.max(1, steps - 1)) * (labs.length - 1);
    const from = Math.min(labs.length - 2, Math.floor(at));
    const [before, after] = [labs[from], labs[from + 1]];
    if (!before || !after) throw new Error("A colour ramp needs at least two stops.");
    const mix = (channel: 0 | 1 | 2): number => before[channel] + (after[channel] - before[channel]) * (at - from);
    return labToHex([mix(0), mix(1), mix(2)]);
  });
}

function toLinear(c: number): number {
  return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
}

function toGamma(c: number): number {
  return c <= 0.0031308 ? 12.92 * c : 1.055 * c ** (1 / 2.4) - 0.055;
}
