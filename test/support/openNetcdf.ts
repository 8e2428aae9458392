import { asFormatError } from "#formats/error.ts";
import { openLocal } from "#formats/foreign/file.ts";
import { openNetcdf as openSource } from "#formats/netcdf/read.ts";
import { failure } from "#shared/service/error.ts";

/** Opens a NetCDF file of the disk. */
export async function openNetcdf(path: string): ReturnType<typeof openSource> {
  try {
    return await openSource(openLocal(path));
  } catch (thrown) {
    return failure(asFormatError(thrown, path));
  }
}
