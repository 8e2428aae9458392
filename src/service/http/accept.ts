interface Weighted {
  readonly name: string;
  readonly quality: number;
}

/** A weight from 0 to 1 (RFC 9110, 12.4.2), with any number of digits. */
const QUALITY = /^q=(0?\.\d+|0\.?|1(?:\.0*)?)$/;

/** Reads a header of the form `a;q=0.5, b`: lower-case names with their weight, 1 if it is missing or unreadable. */
function weighted(header: string): Weighted[] {
  return header
    .split(",")
    .map((part) => {
      const [name = "", ...parameters] = part.split(";").map((p) => p.trim().toLowerCase());
      const quality = parameters.flatMap((p) => QUALITY.exec(p)?.[1] ?? [])[0];
      return { name, quality: Number(quality ?? 1) };
    })
    .filter((entry) => entry.name !== "");
}

interface Rating {
  readonly quality: number;
  /** 2 if the type itself is named, 1 for its family, 0 for anything. */
  readonly precision: number;
}

/** Weight of a media type: of the most specific range that matches it (RFC 9110, 12.5.1); 0 if none does. */
function rate(entries: readonly Weighted[], type: string): Rating {
  const ranges = ["*/*", `${type.split("/")[0]}/*`, type];
  for (let precision = 2; precision >= 0; precision--) {
    const matching = entries.filter((entry) => entry.name === ranges[precision]);
    if (matching.length > 0) return { quality: Math.max(...matching.map((entry) => entry.quality)), precision };
  }
  return { quality: 0, precision: 0 };
}

/**
 * Content negotiation by `Accept` with weights. Of equal weights, a named type is preferred to one that is only covered
 * by a wildcard: `application/json, text/plain` with a wildcard, as some libraries send, means JSON.
 *
 * @param offers in order of preference, which decides ties, and requests without the header
 * @returns null if no offer is acceptable
 */
export function negotiate<T extends string>(header: string | undefined, offers: readonly T[]): T | null {
  if (header === undefined || header.trim() === "") return offers[0] ?? null;
  const entries = weighted(header);
  let best: T | null = null;
  let bestRating: Rating = { quality: 0, precision: 0 };
  for (const offer of offers) {
    const rating = rate(entries, offer);
    if (rating.quality === 0) continue;
    const isBetter =
      rating.quality > bestRating.quality ||
      (rating.quality === bestRating.quality && rating.precision > bestRating.precision);
    if (best !== null && !isBetter) continue;
    best = offer;
    bestRating = rating;
  }
  return best;
}

/** Whether gzip is acceptable by `Accept-Encoding`; without the header only uncompressed bytes are. */
export function acceptsGzip(header: string | undefined): boolean {
  const entries = weighted(header ?? "");
  const entry = entries.find((e) => e.name === "gzip" || e.name === "x-gzip") ?? entries.find((e) => e.name === "*");
  return entry !== undefined && entry.quality > 0;
}
