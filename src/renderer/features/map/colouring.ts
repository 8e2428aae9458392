import type { CatalogueStation, Network } from "#shared/service/catalogue.ts";
import { type ScalarVariable, shortName } from "#shared/service/variables.ts";
import { decimal } from "#shared/text.ts";
import { MINUTE_MS, type UtcMs } from "#shared/time/utc.ts";
import { scaleDomain, paintClasses, type Painting, paintScale, SCALE_STEPS } from "../../map/painting.ts";
import { type PlotTheme, SERIES_COLOURS } from "#shared/plot/theme.ts";
import type { Frame } from "./frames.ts";
import { REDUCED, type Quantity, quantityWords, rampOf, roundingOf, type ScaleLook, stationValues } from "./scale.ts";

/** Ways to colour the stations: `value` is that of the variable of the chips. */
const COLOUR_BY = [
  { value: "network", label: "Network" },
  { value: "freshness", label: "Age of newest data" },
  { value: "value", label: "" },
  { value: REDUCED, label: "ZTD anomaly (height-reduced)" },
  { value: "coverage", label: "Cached share" },
] as const;
export type ColourBy = (typeof COLOUR_BY)[number]["value"];
export const COLOURS = COLOUR_BY.map(({ value }) => value);

export function colourChoices(variable: ScalarVariable) {
  return COLOUR_BY.map((choice) => (choice.value === "value" ? { ...choice, label: shortName(variable) } : choice));
}

/** What determines the colours: a quantity with a scale, or a property of the stations. */
export type Coloured = Exclude<ColourBy, "value"> | Quantity;

interface LegendEntry {
  readonly label: string;
  readonly colour: string;
  readonly count: number;
}

export interface Legend {
  readonly title: string;
  /** Labels of the ends of a scale; null if it has no values yet. */
  readonly ends: readonly [string, string] | null;
  /** Colours of the scale from low to high; empty for classes. */
  readonly ramp: readonly string[];
  readonly classes: readonly LegendEntry[];
  /** Meaning and number of the grey rings. */
  readonly noValue: { readonly label: string; readonly count: number };
  /** Number of stations with values from the service, shown with a hole, among stations with cached values. */
  readonly serviceCount: number;
  readonly note: string | null;
}

/** A legend of classes, without a scale. */
const PLAIN = { ends: null, ramp: [], classes: [], serviceCount: 0, note: null } as const;

/** Meaning of the hole in a symbol. */
export const SERVICE_LABEL = "service, not saved";

export interface ColouredStations {
  readonly painting: Painting;
  readonly legend: Legend;
  readonly domain: readonly [number, number] | null;
}

interface ColourInput {
  readonly stations: readonly CatalogueStation[];
  readonly networks: readonly Network[];
  readonly frame: Frame | null;
  readonly shares: ReadonlyMap<string, number>;
  readonly nowMs: UtcMs;
  /** Ends of the scale so far, which only grow while the same quantity is shown. */
  readonly domain: readonly [number, number] | null;
  /** Ends that do not depend on the frame; null if unknown. */
  readonly fixed: readonly [number, number] | null;
  readonly look: Pick<ScaleLook, "map" | "isReversed"> | null;
}

/** Returns the colours of the stations, in their order, and the legend. */
export function colourStations(by: Coloured, input: ColourInput, theme: PlotTheme): ColouredStations {
  if (by === "network") return byNetwork(input, theme);
  if (by === "freshness") return byAge(input, theme);
  if (by === "coverage") return byShare(input, theme);
  return byValue(by, input, theme);
}

function byValue(
  by: Quantity,
  { stations, frame, domain, fixed, look }: ColourInput,
  theme: PlotTheme,
): ColouredStations {
  const { title, note } = quantityWords(by);
  const values = stationValues(by, stations, frame);
  const variable = by === REDUCED ? "ztd" : by;
  const ends = fixed ?? scaleDomain(values, roundingOf(by), domain);
  const painting = paintScale(values, ends ?? [0, 1], rampOf(theme, SCALE_STEPS, look), theme.colour("--map-nothing"));
  const isOtherSource = Uint8Array.from(stations, (s) => Number(frame?.read(s.id, variable)?.from === "service"));
  const serviceCount = isOtherSource.reduce((sum, flag) => sum + flag, 0);
  // If all values are from the service, as in live mode, no distinction is needed.
  const isMixed = serviceCount > 0 && serviceCount < values.length - countWithoutValue(painting);
  return {
    painting: isMixed ? { ...painting, isOtherSource } : painting,
    domain: ends,
    legend: {
      title,
      ends: ends ? [`≤ ${decimal(ends[0], 0, 2)}`, `≥ ${decimal(ends[1], 0, 2)}`] : null,
      ramp: painting.colours.slice(1),
      classes: [],
      noValue: { label: "no value", count: countWithoutValue(painting) },
      serviceCount: isMixed ? serviceCount : 0,
      note,
    },
  };
}

function byShare({ stations, shares }: ColourInput, theme: PlotTheme): ColouredStations {
  const values = Float64Array.from(stations, (s) => shares.get(s.id) || Number.NaN);
  const painting = paintScale(values, [0, 1], rampOf(theme, SCALE_STEPS), theme.colour("--map-nothing"));
  return {
    painting,
    domain: null,
    legend: {
      ...PLAIN,
      title: "Cached share of the time range",
      ends: ["0 %", "100 %"],
      ramp: painting.colours.slice(1),
      noValue: { label: "nothing cached", count: countWithoutValue(painting) },
    },
  };
}

const AGES = [
  { label: "under 10 min", maxMs: 10 * MINUTE_MS },
  { label: "under 1 h", maxMs: 60 * MINUTE_MS },
  { label: "under 6 h", maxMs: 360 * MINUTE_MS },
  { label: "under 1 d", maxMs: 1_440 * MINUTE_MS },
  { label: "under 7 d", maxMs: 10_080 * MINUTE_MS },
  { label: "older", maxMs: Infinity },
] as const;

function byAge({ stations, nowMs }: ColourInput, theme: PlotTheme): ColouredStations {
  const classes = stations.map(({ dataLastUpdatedMs: lastMs }) =>
    lastMs === null ? -1 : AGES.findIndex((age) => nowMs - lastMs < age.maxMs),
  );
  // The most recent data have the strongest colour.
  const colours = rampOf(theme, AGES.length).toReversed();
  const painting = paintClasses(classes, colours, theme.colour("--map-nothing"));
  return {
    painting: { ...painting, isScale: true },
    domain: null,
    legend: {
      ...PLAIN,
      title: "Age of newest data",
      classes: legendEntries(
        AGES.map((a) => a.label),
        classes,
        colours,
      ),
      noValue: { label: "no data yet", count: countWithoutValue(painting) },
    },
  };
}

function byNetwork({ stations, networks }: ColourInput, theme: PlotTheme): ColouredStations {
  const sizes = new Map<string, number>();
  for (const { networkId } of stations) sizes.set(networkId, (sizes.get(networkId) ?? 0) + 1);
  const largest = [...sizes].toSorted((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, SERIES_COLOURS);
  const rank = new Map(largest.map(([id], i) => [id, i]));
  const names = new Map(networks.map((n) => [n.id, n.name || n.code]));
  const codes = new Map(stations.map((s) => [s.networkId, s.networkCode]));
  const colours = largest.map((_, i) => theme.colour(`--series-${i + 1}`));
  const classes = stations.map((s) => rank.get(s.networkId) ?? -1);
  const painting = paintClasses(classes, colours, theme.colour("--map-nothing"));
  const labels = largest.map(([id]) => names.get(id) ?? codes.get(id) ?? id);
  return {
    painting,
    domain: null,
    legend: {
      ...PLAIN,
      title: "Network",
      classes: legendEntries(labels, classes, colours),
      noValue: { label: "other networks", count: countWithoutValue(painting) },
    },
  };
}

function legendEntries(
  labels: readonly string[],
  classes: readonly number[],
  colours: readonly string[],
): LegendEntry[] {
  const byClass = Map.groupBy(classes, (c) => c);
  return labels.map((label, i) => ({ label, colour: colours[i] ?? "", count: byClass.get(i)?.length ?? 0 }));
}

function countWithoutValue({ groups }: Painting): number {
  return groups.reduce((sum, group) => (group === 0 ? sum + 1 : sum), 0);
}
