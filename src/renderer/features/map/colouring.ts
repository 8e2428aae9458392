import type { CatalogueStation, Network } from "#shared/service/catalogue.ts";
import { SCALAR_VARIABLES, shortName, variableInfo } from "#shared/service/variables.ts";
import { decimal } from "#shared/text.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { domainOf, paintClasses, type Painting, paintScale, SCALE_STEPS } from "../../map/painting.ts";
import type { PlotTheme } from "#shared/plot/theme.ts";
import { SERIES_COLOURS } from "#shared/plot/palette.ts";
import type { Frame } from "./frames.ts";
import { REDUCED, type Quantity, quantityWords, rampOf, type ScaleLook, valuesOf } from "./scale.ts";

/** What the colours of the stations say. */
export const COLOUR_BY = [
  { value: "network", label: "Network" },
  { value: "freshness", label: "Age of newest data" },
  ...SCALAR_VARIABLES.filter((v) => variableInfo(v).map).map((value) => ({ value, label: shortName(value) }) as const),
  { value: REDUCED, label: "ZTD anomaly (height-reduced)" },
  { value: "coverage", label: "Cached share" },
] as const;
export type ColourBy = (typeof COLOUR_BY)[number]["value"];

export function readColourBy(kept: unknown): ColourBy {
  return COLOUR_BY.find((c) => c.value === kept)?.value ?? "network";
}

export interface LegendEntry {
  readonly label: string;
  readonly colour: string;
  readonly count: number;
}

export interface Legend {
  readonly title: string;
  /** Of a scale: its ends as they are written. null where it has no values yet. */
  readonly ends: readonly [string, string] | null;
  /** The colours of the scale from low to high; empty where there are classes. */
  readonly ramp: readonly string[];
  readonly classes: readonly LegendEntry[];
  /** What grey rings mean, and how many there are. */
  readonly nothing: { readonly label: string; readonly count: number };
  /** Stations whose values the service told, among cached ones: their marks have a hole. */
  readonly told: number;
  readonly note: string | null;
}

/** What the hole in a mark means. */
export const TOLD_WORDS = "service, not saved";

export interface Coloured {
  readonly painting: Painting;
  readonly legend: Legend;
  readonly domain: readonly [number, number] | null;
}

export interface ColourInput {
  readonly stations: readonly CatalogueStation[];
  readonly networks: readonly Network[];
  readonly frame: Frame | null;
  readonly shares: ReadonlyMap<string, number>;
  readonly nowMs: UtcMs;
  /** Ends of the scale so far: they only grow while the same thing is shown. */
  readonly domain: readonly [number, number] | null;
  /** Ends that the scale keeps, whatever the frame shows; null where none are known. */
  readonly fixed: readonly [number, number] | null;
  readonly look: Pick<ScaleLook, "map" | "isReversed"> | null;
}

/** Colours and legend of the stations, in their order. */
export function colouring(by: ColourBy, input: ColourInput, theme: PlotTheme): Coloured {
  if (by === "network") return byNetwork(input, theme);
  if (by === "freshness") return byAge(input, theme);
  if (by === "coverage") return byShare(input, theme);
  return byValue(by, input, theme);
}

function byValue(by: Quantity, { stations, frame, domain, fixed, look }: ColourInput, theme: PlotTheme): Coloured {
  const { title, note } = quantityWords(by);
  const values = valuesOf(by, stations, frame);
  const [variable, step] = by === REDUCED ? (["ztd", 1] as const) : ([by, variableInfo(by).map?.roundTo ?? 1] as const);
  const ends = fixed ?? domainOf(values, step, domain);
  const painting = paintScale(values, ends ?? [0, 1], rampOf(theme, SCALE_STEPS, look), theme.colour("--map-nothing"));
  const apart = Uint8Array.from(stations, (s) => Number(frame?.read(s.id, variable)?.from === "service"));
  const told = apart.reduce((n, each) => n + each, 0);
  // Where all of them were told, as live, there is nothing to tell apart.
  const isMixed = told > 0 && told < values.length - nothings(painting);
  return {
    painting: isMixed ? { ...painting, apart } : painting,
    domain: ends,
    legend: {
      title,
      ends: ends ? [`≤ ${decimal(ends[0], 0, 2)}`, `≥ ${decimal(ends[1], 0, 2)}`] : null,
      ramp: painting.colours.slice(1),
      classes: [],
      nothing: { label: "no value", count: nothings(painting) },
      told: isMixed ? told : 0,
      note,
    },
  };
}

function byShare({ stations, shares }: ColourInput, theme: PlotTheme): Coloured {
  const values = Float64Array.from(stations, (s) => shares.get(s.id) || Number.NaN);
  const painting = paintScale(values, [0, 1], rampOf(theme, SCALE_STEPS), theme.colour("--map-nothing"));
  return {
    painting,
    domain: null,
    legend: {
      title: "Cached share of the time range",
      ends: ["0 %", "100 %"],
      ramp: painting.colours.slice(1),
      classes: [],
      nothing: { label: "nothing cached", count: nothings(painting) },
      told: 0,
      note: null,
    },
  };
}

const MINUTE = 60_000;
const AGES = [
  { label: "under 10 min", mostMs: 10 * MINUTE },
  { label: "under 1 h", mostMs: 60 * MINUTE },
  { label: "under 6 h", mostMs: 360 * MINUTE },
  { label: "under 1 d", mostMs: 1_440 * MINUTE },
  { label: "under 7 d", mostMs: 10_080 * MINUTE },
  { label: "older", mostMs: Infinity },
] as const;

function byAge({ stations, nowMs }: ColourInput, theme: PlotTheme): Coloured {
  const classes = stations.map(({ dataLastUpdatedMs: lastMs }) =>
    lastMs === null ? -1 : AGES.findIndex((age) => nowMs - lastMs < age.mostMs),
  );
  // The freshest stand out most.
  const colours = rampOf(theme, AGES.length).toReversed();
  const painting = paintClasses(classes, colours, theme.colour("--map-nothing"));
  return {
    painting: { ...painting, isScale: true },
    domain: null,
    legend: {
      title: "Age of newest data",
      ends: null,
      ramp: [],
      classes: entries(
        AGES.map((a) => a.label),
        classes,
        colours,
      ),
      nothing: { label: "never sent anything", count: nothings(painting) },
      told: 0,
      note: null,
    },
  };
}

function byNetwork({ stations, networks }: ColourInput, theme: PlotTheme): Coloured {
  const sizes = new Map<string, number>();
  for (const { networkId } of stations) sizes.set(networkId, (sizes.get(networkId) ?? 0) + 1);
  const largest = [...sizes].toSorted((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, SERIES_COLOURS);
  const place = new Map(largest.map(([id], i) => [id, i]));
  const names = new Map(networks.map((n) => [n.id, n.name || n.code]));
  const codes = new Map(stations.map((s) => [s.networkId, s.networkCode]));
  const colours = largest.map((_, i) => theme.colour(`--series-${i + 1}`));
  const classes = stations.map((s) => place.get(s.networkId) ?? -1);
  const painting = paintClasses(classes, colours, theme.colour("--map-nothing"));
  const labels = largest.map(([id]) => names.get(id) ?? codes.get(id) ?? id);
  return {
    painting,
    domain: null,
    legend: {
      title: "Network",
      ends: null,
      ramp: [],
      classes: entries(labels, classes, colours),
      nothing: { label: "other networks", count: nothings(painting) },
      told: 0,
      note: null,
    },
  };
}

function entries(labels: readonly string[], classes: readonly number[], colours: readonly string[]): LegendEntry[] {
  const counts = labels.map(() => 0);
  for (const c of classes) if (c >= 0) counts[c]!++;
  return labels.map((label, i) => ({ label, colour: colours[i]!, count: counts[i]! }));
}

function nothings({ groups }: Painting): number {
  return groups.reduce((n, group) => (group === 0 ? n + 1 : n), 0);
}
