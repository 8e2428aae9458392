interface Weighted {
  readonly name: string;
  readonly quality: number;
}

/** Reads a header of the form `a;q=0.5, b`: lower-case names with their weight, 1 where none is given. */
function weighted(header: string): Weighted[] {
  return header
    .split(",")
    .map((part) => {
      const [name = "", ...parameters] = part.split(";").map((p) => p.trim().toLowerCase());
      const q = parameters.find((p) => p.startsWith("q="));
      const quality = q === undefined ? 1 : Number(q.slice(2));
      return { name, quality: quality >= 0 && quality <= 1 ? quality : 0 };
    })
    .filter((entry) => entry.name !== "");
}

/** Weight of a media type: of the most specific range that names it (RFC 9110, 12.5.1); 0 where none does. */
function mediaQuality(entries: readonly Weighted[], type: string): number {
  const family = `${type.split("/")[0]}/*`;
  for (const name of [type, family, "*/*"]) {
    const matching = entries.filter((entry) => entry.name === name);
    if (matching.length > 0) return Math.max(...matching.map((entry) => entry.quality));
  }
  return 0;
}

/**
 * Content negotiation by `Accept` with weights.
 *
 * @param offers in order of preference: the first wins a tie, and where nothing is asked
 * @returns null where nothing on offer is acceptable
 */
export function negotiate<T extends string>(header: string | undefined, offers: readonly T[]): T | null {
  if (header === undefined || header.trim() === "") return offers[0] ?? null;
  const entries = weighted(header);
  let best: T | null = null;
  let bestQuality = 0;
  for (const offer of offers) {
    const quality = mediaQuality(entries, offer);
    if (quality > bestQuality) {
      best = offer;
      bestQuality = quality;
    }
  }
  return best;
}

/** Whether gzip is acceptable by `Accept-Encoding`; without the header nothing but plain bytes is. */
export function acceptsGzip(header: string | undefined): boolean {
  const entries = weighted(header ?? "");
  const entry = entries.find((e) => e.name === "gzip" || e.name === "x-gzip") ?? entries.find((e) => e.name === "*");
  return entry !== undefined && entry.quality > 0;
}
