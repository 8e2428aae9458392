import { type AppFault, usageFailure } from "#shared/fault.ts";
import type { ExportRequest } from "#shared/file/export.ts";
import type { FigureSettings, VectorFormat } from "#shared/file/figure.ts";
import { withExtension } from "#shared/file/fileName.ts";
import { type Result, success } from "#shared/service/error.ts";
import { isScalar } from "#shared/service/variables.ts";
import type { OpenConnection } from "../connections/connections.ts";
import type { FigureRequest } from "./figure.ts";
import { nameOf } from "./place.ts";

/** A figure that accompanies an exported file, without its path. */
export interface WantedFigure {
  readonly series: Pick<
    ExportRequest,
    "stationIds" | "variables" | "range" | "intervalSeconds" | "raw" | "resampled" | "zone"
  >;
  readonly format: VectorFormat;
  readonly template: string;
  /** For `{name}`. */
  readonly exportName: string;
}

/** The format of figures drawn without a window: the user's last choice, or PDF if that was a pixel format. */
export function vectorFormat({ format }: Pick<FigureSettings, "format">): VectorFormat {
  return format === "svg" ? "svg" : "pdf";
}

/** The figure of a saved export or a schedule, without its path. @returns a fault if no variable can be plotted */
export function figureRequest(
  { series, format }: Pick<WantedFigure, "series" | "format">,
  look: FigureSettings,
): Result<Omit<FigureRequest, "path">, AppFault> {
  const { stationIds, range, intervalSeconds, raw, resampled, zone } = series;
  const variables = series.variables.filter((variable) => isScalar(variable));
  if (variables.length === 0)
    return usageFailure("A figure shows variables with one value per epoch, such as ZTD, and none was chosen.");
  return success({ stationIds, variables, range, mode: { intervalSeconds, raw, resampled, zone }, format, look });
}

/** The file name by the template, with the ending of the figure. */
export function figureName(
  connection: OpenConnection,
  { series, format, ...naming }: WantedFigure,
): Result<string, AppFault> {
  const named = nameOf(connection, { ...series, format: "csv", heightReference: "WGS84_ELLIPSOID" }, naming);
  return named.ok ? success(withExtension(named.value, format)) : named;
}
