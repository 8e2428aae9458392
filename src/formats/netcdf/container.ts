import { ClassicWriter } from "../netcdf3/classic.ts";
import { Hdf5Writer } from "./hdf5/writer.ts";

/**
 * - netcdf4: HDF5 inside, compressed
 * - netcdf3: classic with 64-bit offsets, for tools that know no other; not compressed
 */
export type NetcdfContainer = "netcdf4" | "netcdf3";

export const NETCDF_WRITERS = { netcdf4: Hdf5Writer, netcdf3: ClassicWriter } as const;
