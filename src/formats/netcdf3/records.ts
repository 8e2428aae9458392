import { readSync } from "node:fs";

/** Bytes of records that are put together at a time: few enough that others soon get their turn. */
const ROOM_BYTES = 4 << 20;

/** Doubles of a variable with records, as they wait: column after column, each over all records. */
export interface WaitingVariable {
  /** Where in the file the first column is, in bytes. */
  readonly waitingAt: number;
  /** Values side by side in a column. */
  readonly width: number;
  readonly columns: number;
  /** Its first value among those of a record. */
  readonly place: number;
}

/** Records of a file, each with `values` doubles. */
export interface Records {
  readonly count: number;
  readonly values: number;
  readonly variables: readonly WaitingVariable[];
}

/** Where a block of a waiting variable goes, in bytes: it begins at a record and at a value of it. */
export function waitingPlace({ count }: Records, variable: WaitingVariable, record: number, value: number): number {
  return variable.waitingAt + 8 * (value * count + record * variable.width);
}

/**
 * Puts together the records of what waits in the columns of `descriptor`, a stretch at a time, big-endian as they lie in a
 * classic file.
 */
export function* wovenRecords(descriptor: number, records: Records): Iterable<Buffer> {
  const { count, values, variables } = records;
  const most = Math.max(1, Math.floor(ROOM_BYTES / (8 * values)));
  const room = new Float64Array(Math.min(most, count) * values);
  const column = new Float64Array(Math.min(most, count) * Math.max(0, ...variables.map((v) => v.width)));
  for (let from = 0; from < count; from += most) {
    const length = Math.min(most, count - from);
    for (const variable of variables) {
      const { width, columns, place } = variable;
      for (let c = 0; c < columns; c++) {
        const told = column.subarray(0, length * width);
        readDoubles(descriptor, told, waitingPlace(records, variable, from, c * width));
        for (let i = 0, at = place + c * width; i < length; i++, at += values)
          for (let w = 0; w < width; w++) room[at + w] = told[i * width + w]!;
      }
    }
    yield Buffer.from(room.buffer, 0, 8 * length * values).swap64();
  }
}

function readDoubles(descriptor: number, target: Float64Array, at: number): void {
  const bytes = new Uint8Array(target.buffer, target.byteOffset, target.byteLength);
  for (let done = 0; done < bytes.length;) {
    const read = readSync(descriptor, bytes, done, bytes.length - done, at + done);
    if (read === 0) throw new Error("What waits to be put into records is cut short.");
    done += read;
  }
}
