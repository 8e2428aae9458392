import { failure, type Result, success } from "#shared/service/error.ts";
import { asFormatError, type FormatError, FormatFailure } from "../error.ts";
import { bytesIn, type ForeignFile } from "../foreign/file.ts";
import { openNetcdf3 } from "./read/netcdf3.ts";
import { openNetcdf4 } from "./read/netcdf4.ts";
import type { NetcdfFile } from "./read/types.ts";

export type {
  AxisSlice,
  NetcdfAttribute,
  NetcdfData,
  NetcdfDimension,
  NetcdfFile,
  NetcdfType,
  NetcdfVariable,
} from "./read/types.ts";

/**
 * Opens a NetCDF file: NetCDF-4 (HDF5) or NetCDF-3 (CDF-1, and CDF-2 with 64-bit offsets), by its first bytes. Values are read on
 * demand. The caller closes the file, which closes `source` too; after a failure, `source` stays open.
 *
 * @returns the open file, or the error: not NetCDF, truncated, damaged, changed by another program, or a disk error
 */
export async function openNetcdf(source: ForeignFile): Promise<Result<NetcdfFile, FormatError>> {
  try {
    const file = netcdfKind(source) === "netcdf4" ? await openNetcdf4(source) : openNetcdf3(source);
    return success({
      ...file,
      close() {
        file.close();
        source.close();
      },
    });
  } catch (thrown) {
    return failure(asFormatError(thrown, "this file"));
  }
}

const CDF5 =
  "This is a CDF-5 file, a kind of NetCDF-3 that cannot be read. Convert it with “nccopy -k nc4 FILE NEW”, and open that.";
const HDF5_SIGNATURE = Buffer.from([0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a]);

function netcdfKind(source: ForeignFile): "netcdf4" | "netcdf3" {
  const head = bytesIn(source, 0, 8);
  if (head.equals(HDF5_SIGNATURE)) return "netcdf4";
  if (head.toString("latin1", 0, 3) === "CDF" && head.length >= 4) {
    if (head[3] === 1 || head[3] === 2) return "netcdf3";
    throw new FormatFailure(
      "unreadable",
      head[3] === 5 ? CDF5 : `This kind of NetCDF-3 file (CDF-${head[3]}) cannot be read.`,
    );
  }
  throw new FormatFailure("notNetcdf", "This is not a NetCDF file.");
}
