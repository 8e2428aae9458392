import type { Result } from "#shared/service/error.ts";
import type { FormatError } from "../error.ts";
import type { TargetOptions } from "../fileGroup.ts";
import type { Pace } from "../source.ts";
import { writeThroughTemporary } from "../temporary.ts";
import { writeThroughFolder } from "../temporaryFolder.ts";
import { isOwnStore, ZarrWriter } from "../zarr/store.ts";
import type { NetcdfSink } from "./sink.ts";
import { ClassicWriter } from "../netcdf3/classic.ts";
import { Hdf5Writer } from "./hdf5/writer.ts";

/**
 * - netcdf4: HDF5, compressed
 * - netcdf3: classic with 64-bit offsets, for tools without NetCDF-4; not compressed
 */
export type NetcdfContainer = "netcdf4" | "netcdf3";

const NETCDF_WRITERS = { netcdf4: Hdf5Writer, netcdf3: ClassicWriter } as const;

/** The two steps of writing a container. */
interface ArrayWork<T> {
  /** Called once, before anything is declared. */
  readonly prepare: () => Promise<T>;
  readonly fill: (file: NetcdfSink, prepared: T) => Promise<void>;
  readonly pace: Pace;
}

/** Writes a file, or for Zarr a folder, which gets its name only when it is complete. */
export async function writeArrays<T>(
  path: string,
  container: NetcdfContainer | "zarr",
  { prepare, fill, pace }: ArrayWork<T>,
  options: TargetOptions = {},
): Promise<Result<{ readonly value: T; readonly bytes: number }, FormatError>> {
  if (container === "zarr")
    return writeThroughFolder(
      path,
      isOwnStore,
      async (folder) => {
        const value = await prepare();
        const { bytes } = await ZarrWriter.write(folder, (file) => fill(file, value));
        return { value, bytes };
      },
      options,
    );
  return writeThroughTemporary(
    path,
    async (temporaryPath) => {
      const value = await prepare();
      await NETCDF_WRITERS[container].write(
        temporaryPath,
        (file) => fill(file, value),
        () => pace.step(),
      );
      return value;
    },
    options,
  );
}
