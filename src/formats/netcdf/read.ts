import { closeSync, fstatSync, openSync, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { failure, type Result, success } from "#shared/service/error.ts";
import { asFormatError, type FormatError, FormatFailure } from "../error.ts";
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
 * Opens a file whose values are read on demand, and refuses to read more of it after another program has changed it:
 * values of one version do not belong to the times and positions of another. A file that is moved, deleted or replaced
 * by another one of its name is read on, because its content is still there.
 *
 * @throws FormatFailure (changed), also by `read` of the result, and errors of `open`
 */
async function openUnchanged(path: string, open: () => Promise<NetcdfFile>): Promise<NetcdfFile> {
  const descriptor = openSync(path, "r");
  try {
    const opened = fstatSync(descriptor, { bigint: true });
    const assertUnchanged = (): void => {
      const { size, mtimeNs } = fstatSync(descriptor, { bigint: true });
      if (size !== opened.size || mtimeNs !== opened.mtimeNs) throw changed();
    };
    const file = await open();
    if (statSync(path, { bigint: true }).ino !== opened.ino) {
      file.close();
      throw changed();
    }
    let isOpen = true;
    return {
      ...file,
      read(name, slices) {
        assertUnchanged();
        try {
          return file.read(name, slices);
        } finally {
          // Instead of an error that the change caused.
          assertUnchanged();
        }
      },
      close() {
        file.close();
        if (isOpen) closeSync(descriptor);
        isOpen = false;
      },
    };
  } catch (thrown) {
    closeSync(descriptor);
    throw thrown;
  }
}

function changed(): FormatFailure {
  return new FormatFailure(
    "changed",
    "Another program has changed this file since it was opened. Close it, and open it again.",
  );
}

/**
 * Opens a NetCDF file: NetCDF-4 (HDF5) or NetCDF-3 (classic, 64-bit offsets, CDF-5), by its first bytes. Values are read on
 * demand. The caller closes the file.
 *
 * @returns the open file, or the error: not NetCDF, truncated, damaged, changed by another program, or a disk error
 */
export async function openNetcdf(path: string): Promise<Result<NetcdfFile, FormatError>> {
  try {
    const kind = await kindOf(path);
    const open = async (): Promise<NetcdfFile> => (kind === "netcdf4" ? openNetcdf4(path) : openNetcdf3(path));
    return success(await openUnchanged(path, open));
  } catch (thrown) {
    return failure(asFormatError(thrown, path));
  }
}

const HDF5_SIGNATURE = Buffer.from([0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a]);

async function kindOf(path: string): Promise<"netcdf4" | "netcdf3"> {
  const handle = await open(path, "r");
  const head = Buffer.alloc(8);
  let length: number;
  try {
    ({ bytesRead: length } = await handle.read(head, 0, 8, 0));
  } finally {
    await handle.close();
  }
  if (length === 8 && head.equals(HDF5_SIGNATURE)) return "netcdf4";
  if (length >= 4 && head.toString("latin1", 0, 3) === "CDF") {
    if (head[3] === 1 || head[3] === 2 || head[3] === 5) return "netcdf3";
    throw new FormatFailure("unreadable", `This kind of NetCDF-3 file (CDF-${head[3]}) cannot be read.`);
  }
  throw new FormatFailure("notNetcdf", `This is not a NetCDF file: ${path}`);
}
