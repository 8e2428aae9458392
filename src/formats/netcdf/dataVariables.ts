import { variableInfo, type Variable } from "#shared/service/variables.ts";
import type { SeriesFileSource } from "../source.ts";
import { FILL_DOUBLE, type Attributes } from "./sink.ts";

/** Attributes of `time`, shared by both layouts. */
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

/** Attributes of a variable of the service in a file whose coordinates are the named ones. */
export function dataAttributes(
  source: SeriesFileSource,
  variable: Variable,
  coordinates: readonly string[],
): Attributes {
  const { kind, unit, label, meaning } = variableInfo(variable);
  const averaged = source.intervalSeconds !== null;
  if (kind === "satellite") {
    return {
      long_name: `${label}, one value per satellite, separated by commas${unit ? `; ${unit}` : ""}`,
      coordinates: coordinates.join(" "),
      grid_mapping: "crs",
      comment: averaged ? `${meaning} Of the first observation in the interval.` : meaning,
    };
  }
  return {
    standard_name: variable === "pwv" ? "lwe_thickness_of_atmosphere_mass_content_of_water_vapor" : undefined,
    long_name: LONG_NAMES[variable] ?? label,
    units: unit,
    _FillValue: FILL_DOUBLE,
    coordinates: coordinates.join(" "),
    grid_mapping: "crs",
    ancillary_variables: variable === "ztd" && source.variables.includes("ztd_sigma") ? "ztd_sigma" : undefined,
    cell_methods: averaged ? "time: mean" : "time: point",
    comment:
      averaged && variable === "ztd_sigma" ? `${meaning} Mean over the interval, not that of its mean.` : meaning,
  };
}

// CF has no standard name for the delay, so that its long name has to carry the meaning.
const LONG_NAMES: Partial<Record<Variable, string>> = {
  ztd: "zenith total delay of the GNSS signal",
  ztd_sigma: "formal standard deviation of the zenith total delay",
  pwv: "precipitable water vapour",
};
