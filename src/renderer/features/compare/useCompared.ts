import { useMemo } from "react";
import { z } from "zod";
import { joining, type MarkSettings, MAX_MARK_MINUTES } from "#shared/bridge/methods/compare.ts";
import { GRID_METHODS, HEIGHT_METHODS } from "#shared/comparison.ts";
import { SCALAR_VARIABLES, type ScalarVariable, variableInfo } from "#shared/service/variables.ts";
import { readModeOf } from "../../stores/selection.ts";
import { stationName, useCatalogue } from "../../stores/catalogue.ts";
import { useWorkspace } from "../../stores/workspace.ts";
import type { PlottedStation } from "./figures/picture.ts";
import { useChips } from "../../stores/oneVariable.ts";
import { pane, usePane } from "../../stores/pane.ts";
import { choicesFrom } from "../../ui/choices.tsx";

export const PART_CHOICES = choicesFrom({
  pairs: "Pairs",
  stations: "Stations",
  rate: "PWV rate",
  derived: "Derived",
  product: "Product",
});

const bounds = z.object({ min: z.number(), max: z.number() });
const range = (variable: ScalarVariable) => {
  const { min, max } = variableInfo(variable).plausible;
  const plausible = { min, max };
  return bounds.catch(plausible);
};
const ranges = z.object(
  Object.fromEntries(SCALAR_VARIABLES.map((variable) => [variable, range(variable)])) as Record<
    ScalarVariable,
    ReturnType<typeof range>
  >,
);
const isOn = z.boolean().catch(true);
const amount = (usual: number, most = Infinity) => z.number().min(0).max(most).catch(usual);
const minutes = (usual: number) => amount(usual, MAX_MARK_MINUTES);

/** Bounds are kept while a rule is off, so that switching it on restores them. */
const marks = z.object({
  isRangeOn: isOn,
  ranges: ranges.catch(ranges.parse({})),
  isSigmaOn: isOn,
  sigmaMm: amount(10),
  isStepOn: isOn,
  gapMinutes: minutes(60),
  stepMm: amount(20),
  settleMinutes: minutes(30),
  isStuckOn: isOn,
  stuckMinutes: minutes(120),
});

const air = z.object({
  pressureHpa: z.number().min(300).max(1_100).nullable().catch(null),
  temperatureC: z.number().min(-90).max(60).nullable().catch(null),
});

/** Ways to pair the epochs of a station and a file. */
export const PAIRING_CHOICES = choicesFrom({
  nearest: "Nearest rows",
  hour: "Hourly means",
  sixHours: "6-hour means",
  linear: "Interpolated",
});
/** Robust standard deviations beyond which a pair is rejected. */
export const REJECTED_CHOICES = [
  { value: "none", label: "All pairs" },
  { value: "10", label: "Within 10 σ" },
  { value: "5", label: "Within 5 σ" },
  { value: "3", label: "Within 3 σ" },
] as const;

const choices = z.object({
  part: z.enum(PART_CHOICES.map(({ value }) => value)).catch("pairs"),
  /** null: the first selected station. */
  referenceId: z.string().nullable().catch(null),
  /** Ids of A and B of the pair in the scatter; null: the first pair. */
  pair: z.tuple([z.string(), z.string()]).nullable().catch(null),
  joining: joining.catch("nearest"),
  leavesOut: z.boolean().catch(false),
  windowMinutes: z.number().min(10).max(1_440).catch(60),
  marks: marks.catch(marks.parse({})),
  atmospheres: z.record(z.string(), air).catch({}),
  sigmaPressureHpa: amount(0.5, 100),
  sigmaStandardPressureHpa: amount(10, 100),
  sigmaMeanTemperatureK: amount(5, 50),
  /** A of the comparison with a product; null: the selected stations. */
  fileIdA: z.string().nullable().catch(null),
  /** B; null: the first opened file. */
  fileId: z.string().nullable().catch(null),
  pairing: z.enum(PAIRING_CHOICES.map(({ value }) => value)).catch("nearest"),
  rejected: z.enum(REJECTED_CHOICES.map(({ value }) => value)).catch("none"),
  height: z.enum(HEIGHT_METHODS).catch("none"),
  withinKm: amount(1, 20_000),
  grid: z.enum(GRID_METHODS).catch("bilinear"),
  /** The file of pressures that PWV is derived with; null: the standard atmosphere. */
  pressureFileId: z.string().nullable().catch(null),
});

/** The user's settings of this view, stored with the workspace. */
export type Choices = z.output<typeof choices> & {
  /** The one of the chips. */
  readonly variable: ScalarVariable;
};
export type MarkChoices = Choices["marks"];
export type Air = z.output<typeof air>;

export const CHOICES = pane("compare", choices);

const ONLY: Partial<Record<Choices["part"], readonly ScalarVariable[]>> = { rate: ["pwv"], derived: ["ztd"] };

/** Returns the settings, with the variable that the chips choose. @param isOfFiles opened files have no stations of a catalogue, only products */
export function useChoices(isOfFiles: boolean): Choices {
  const [kept] = usePane(CHOICES);
  const part = isOfFiles ? "product" : kept.part;
  const variable = useChips(ONLY[part] ?? SCALAR_VARIABLES);
  return useMemo(() => ({ ...kept, part, variable }), [kept, part, variable]);
}

/** Returns the rules for a variable as the core expects them; a limit of 0 switches a rule off. */
export function markSettingsOf(chosen: MarkChoices, variable: ScalarVariable): MarkSettings {
  const { isRangeOn, isSigmaOn, isStepOn, isStuckOn, gapMinutes, stepMm, settleMinutes } = chosen;
  return {
    range: isRangeOn ? chosen.ranges[variable] : null,
    sigmaMm: isSigmaOn && chosen.sigmaMm > 0 ? chosen.sigmaMm : null,
    step: isStepOn && gapMinutes > 0 && stepMm > 0 ? { gapMinutes, stepMm, settleMinutes } : null,
    stuckMinutes: isStuckOn && chosen.stuckMinutes > 0 ? chosen.stuckMinutes : null,
  };
}

/** Maximum number of compared stations: the table of their pairs would become too long to read. */
export const MAX_STATIONS = 20;

/** Returns the longest of the cadence of a variable, the interval of means and the distance of a station's observations. */
export function longestStep(variable: ScalarVariable, ...seconds: readonly (number | null)[]): number {
  return Math.max(variableInfo(variable).standardSeconds, ...seconds.map((each) => each ?? 0));
}

export type ComparedStations = ReturnType<typeof useCompared>;

/** Returns the window's selection, limited to `MAX_STATIONS`. */
export function useCompared() {
  const { stationIds, slots, range, intervalSeconds, raw, resampled, zone } = useWorkspace();
  const byId = useCatalogue((s) => s.byId);
  return useMemo(
    () => ({
      stations: stationIds
        .slice(0, MAX_STATIONS)
        .map((id): PlottedStation => ({ id, name: stationName(byId, id), slot: slots[id] ?? 0 })),
      /** Number of selected stations. */
      chosen: stationIds.length,
      range,
      mode: readModeOf({ intervalSeconds, raw, resampled, zone }),
      nameOf: (id: string) => stationName(byId, id),
      /** Seconds between two values of a variable of a station without a gap. */
      stepSecondsOf: (variable: ScalarVariable, id: string) =>
        longestStep(variable, intervalSeconds, byId.get(id)?.resolutionSeconds ?? null),
    }),
    [stationIds, slots, range, intervalSeconds, raw, resampled, zone, byId],
  );
}

/** Returns the input that all queries of this view share. */
export function selectionOf({ stations, range, mode }: ComparedStations, choices: Choices, variable: ScalarVariable) {
  return {
    stationIds: stations.map((s) => s.id),
    range,
    mode,
    marks: markSettingsOf(choices.marks, variable),
    leavesOut: choices.leavesOut,
  };
}

/** Returns the id of the reference station: the chosen one if it is selected, else the first. */
export function referenceOf({ stations }: ComparedStations, { referenceId }: Choices): string {
  return stations.some((s) => s.id === referenceId) ? (referenceId ?? "") : (stations[0]?.id ?? "");
}
