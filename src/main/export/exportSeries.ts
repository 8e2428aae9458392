import type { WriteOptions } from "#formats/source.ts";
import type { Result } from "#shared/service/error.ts";
import type { AppFault } from "../app/fault.ts";
import type { CacheReader } from "../store/types.ts";
import type { ExportReport, ExportRequest } from "./types.ts";

export type ExportOptions = WriteOptions;

/** Placeholder signature; see below. */
export declare function exportSeries(
  cache: CacheReader,
  serviceOrigin: string,
  request: ExportRequest,
  options: ExportOptions,
): Promise<Result<ExportReport, AppFault>>;
