import { type AppFault, usageFault } from "#shared/fault.ts";
import type { ExportRequest } from "#shared/file/export.ts";
import type { FigureSettings, VectorFormat } from "#shared/file/figure.ts";
import { withEnding } from "#shared/file/fileName.ts";
import { failure, type Result, success } from "#shared/service/error.ts";
import { isScalar } from "#shared/service/variables.ts";
import type { OpenConnection } from "../connections/connections.ts";
import type { FigureRequest } from "./figure.ts";
import { nameOf } from "./naming.ts";

/** A figure of the series that goes with a file, without its place. */
export interface WantedFigure {
  readonly series: Pick<ExportRequest, "stationIds" | "variables" | "range" | "intervalSeconds" | "raw" | "resampled">;
  readonly format: VectorFormat;
  readonly template: string;
  /** For `{name}`. */
  readonly exportName: string;
}

/** The format of figures without a window: as the user chose last, and PDF where that was pixels. */
export function vectorFormat({ format }: Pick<FigureSettings, "format">): VectorFormat {
  return format === "svg" ? "svg" : "pdf";
}

/** The figure of a saved export or a schedule, without its place. @returns a fault without a quantity that a plot can draw */
export function figureRequest(
  { series, format }: Pick<WantedFigure, "series" | "format">,
  look: FigureSettings,
): Result<Omit<FigureRequest, "path">, AppFault> {
  const { stationIds, range, intervalSeconds, raw, resampled } = series;
  const variables = series.variables.filter((variable) => isScalar(variable));
  if (variables.length === 0)
    return failure(usageFault("A figure shows ZTD, its uncertainty or PWV, and none was chosen."));
  return success({ stationIds, variables, range, mode: { intervalSeconds, raw, resampled }, format, look });
}

/** The name that a template gives a file, with the ending of the figure. */
export function figureName(
  connection: OpenConnection,
  { series, format, ...naming }: WantedFigure,
): Result<string, AppFault> {
  const named = nameOf(connection, { ...series, format: "csv", heightReference: "WGS84_ELLIPSOID" }, naming);
  return named.ok ? success(withEnding(named.value, format)) : named;
}
