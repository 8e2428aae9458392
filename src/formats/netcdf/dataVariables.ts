import { uncertaintyOf, type Variable, variableInfo } from "#shared/service/variables.ts";
import type { SeriesFileSource } from "../source.ts";
import { FILL_DOUBLE, type Attributes } from "./sink.ts";

/** Returns the attributes of `time` for both layouts. */
export function timeAttributes(source: SeriesFileSource): Attributes {
  return {
    standard_name: "time",
    long_name: source.intervalSeconds === null ? "time of the observation, UTC" : "start of the interval, UTC",
    units: "seconds since 1970-01-01T00:00:00Z",
    calendar: "standard",
    axis: "T",
    comment: "UTC, not GPS time: leap seconds are not counted.",
    bounds: source.intervalSeconds === null ? undefined : "time_bnds",
  };
}

/** Returns the attributes of a variable of the service. */
export function dataAttributes(
  source: SeriesFileSource,
  variable: Variable,
  coordinates: readonly string[],
): Attributes {
  const info = variableInfo(variable);
  const { unit, label, meaning } = info;
  const averaged = source.intervalSeconds !== null;
  if (info.kind === "satellite") {
    return {
      long_name: `${label}, one value per satellite, separated by commas${unit ? `; ${unit}` : ""}`,
      coordinates: coordinates.join(" "),
      grid_mapping: "crs",
      comment: averaged ? `${meaning} Of the first observation in the interval.` : meaning,
    };
  }
  const uncertainty = uncertaintyOf(variable);
  return {
    standard_name: info.standardName,
    long_name: info.longName,
    units: unit,
    _FillValue: FILL_DOUBLE,
    coordinates: coordinates.join(" "),
    grid_mapping: "crs",
    ancillary_variables: uncertainty !== null && source.variables.includes(uncertainty) ? uncertainty : undefined,
    cell_methods: averaged ? "time: mean" : "time: point",
    comment:
      averaged && info.uncertaintyOf !== undefined
        ? `${meaning} Mean over the interval, not that of its mean.`
        : meaning,
  };
}
