import { readSync } from "node:fs";

/** Size of a block of records, small enough not to block the event loop for long. */
const BLOCK_BYTES = 4 << 20;

/** Staged doubles of a variable with records: column by column, each over all records. */
export interface StagedVariable {
  /** Offset of the first column in bytes. */
  readonly address: number;
  /** Values per record in a column. */
  readonly width: number;
  readonly columns: number;
  /** Index of its first value in a record. */
  readonly index: number;
}

/** Records of a file, each with `values` doubles. */
export interface Records {
  readonly count: number;
  readonly values: number;
  readonly variables: readonly StagedVariable[];
}

/** Returns the staging offset, in bytes, of a block that starts at a record and at a value of it. */
export function stagingAddress({ count }: Records, variable: StagedVariable, record: number, value: number): number {
  return variable.address + 8 * (value * count + record * variable.width);
}

/** Yields the records in blocks, interleaved from the staged columns of `descriptor`, big-endian. */
export function* interleavedRecords(descriptor: number, records: Records): Iterable<Buffer> {
  const { count, values, variables } = records;
  const maxRecords = Math.max(1, Math.floor(BLOCK_BYTES / (8 * values)));
  const block = new Float64Array(Math.min(maxRecords, count) * values);
  const column = new Float64Array(Math.min(maxRecords, count) * Math.max(0, ...variables.map((v) => v.width)));
  for (let from = 0; from < count; from += maxRecords) {
    const length = Math.min(maxRecords, count - from);
    for (const variable of variables) {
      const { width, columns, index } = variable;
      for (let c = 0; c < columns; c++) {
        const part = column.subarray(0, length * width);
        readDoubles(descriptor, part, stagingAddress(records, variable, from, c * width));
        for (let i = 0, at = index + c * width; i < length; i++, at += values)
          for (let w = 0; w < width; w++) block[at + w] = part[i * width + w]!;
      }
    }
    yield Buffer.from(block.buffer, 0, 8 * length * values).swap64();
  }
}

function readDoubles(descriptor: number, target: Float64Array, at: number): void {
  const bytes = new Uint8Array(target.buffer, target.byteOffset, target.byteLength);
  for (let done = 0; done < bytes.length;) {
    const read = readSync(descriptor, bytes, done, bytes.length - done, at + done);
    if (read === 0) throw new Error("The staged values of a NetCDF-3 file are incomplete.");
    done += read;
  }
}
