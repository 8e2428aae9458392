import type { HeightMethod, Pairing } from "#shared/comparison.ts";
import type { OpenedFile } from "#shared/file/opened.ts";
import type { ReadMode } from "#shared/bridge/methods/words.ts";
import { HOUR_MS } from "#shared/time/utc.ts";
import type { TimeRange } from "#shared/time/range.ts";
import type { Choices, Compared } from "./choices.ts";
import type { PartProps } from "./PairsPart.tsx";

/** What `products.compare`, `report` and `match` are asked. */
export interface ProductQuery {
  readonly connectionId: string;
  readonly fileId: string;
  readonly stationIds: readonly string[];
  readonly variable: Compared;
  readonly range: TimeRange;
  readonly mode: ReadMode;
  readonly pairing: Pairing;
  readonly rejectSigmas: number | null;
  readonly height: HeightMethod;
  readonly withinKm: number;
}

const PAIRING_OF: Readonly<Record<Choices["pairing"], Pairing>> = {
  nearest: { kind: "nearest", toleranceMs: null },
  hour: { kind: "mean", intervalMs: HOUR_MS },
  sixHours: { kind: "mean", intervalMs: 6 * HOUR_MS },
  linear: { kind: "linear", mostGapMs: null },
};

export function queryOf(
  { connectionId, compared, choices }: Pick<PartProps, "connectionId" | "compared" | "choices">,
  file: OpenedFile,
): ProductQuery {
  const { variable, pairing, rejected, height, withinKm } = choices;
  return {
    connectionId,
    fileId: file.id,
    stationIds: compared.stations.map((s) => s.id),
    variable,
    range: compared.range,
    mode: compared.mode,
    pairing: PAIRING_OF[pairing],
    rejectSigmas: rejected === "none" ? null : Number(rejected),
    // A formal uncertainty does not change with height by any of the methods.
    height: variable === "ztd_sigma" ? "none" : height,
    withinKm,
  };
}
