import { closeSync, ftruncateSync, openSync, writeSync } from "node:fs";
import { defined } from "#shared/defined.ts";
import { FormatFailure } from "../error.ts";
import { type Attributes, charCells, CHUNK, type NetcdfSink, type VariableShape } from "../netcdf/sink.ts";
import {
  type ClassicDimension,
  type ClassicType,
  type ClassicVariable,
  hasRecords,
  layOut,
  variableBytes,
} from "./header.ts";
import { type Records, type WaitingVariable, waitingPlace, wovenRecords } from "./records.ts";

/** Bound of the format on one variable, or on its part of a record: its size is an unsigned 32-bit number of whole words. */
const MAX_VARIABLE_BYTES = 2 ** 32 - 4;

interface Declared extends ClassicVariable {
  /** Values that are written with the header; null for a variable that `write` fills. */
  readonly bytes: Buffer | null;
  /** Values side by side in the blocks in which it is written. */
  readonly width: number;
}

/** Where the values of a file are, once its header is written. */
interface Places {
  readonly begins: ReadonlyMap<string, { readonly at: number; readonly sizes: readonly number[] }>;
  readonly waiting: ReadonlyMap<string, WaitingVariable>;
  readonly records: Records;
  readonly recordsBegin: number;
  readonly endByte: number;
}

/**
 * Writes a classic NetCDF file with 64-bit offsets (CDF-2), which every NetCDF tool since 2004 opens. There is no
 * compression, one dimension that can grow, and no text of free length; values are big-endian. A dimension that can grow
 * lies in records, each with the values of all its variables, which come one variable and station after the other: they
 * wait behind the end of the file, and are put together when all are there.
 */
export class ClassicWriter implements NetcdfSink {
  readonly #descriptor: number;
  readonly #dimensions = new Map<string, ClassicDimension>();
  readonly #variables: Declared[] = [];
  readonly #scratch = Buffer.allocUnsafe(8 * CHUNK);
  #globals: Attributes = {};
  #places: Places | null = null;

  private constructor(descriptor: number) {
    this.#descriptor = descriptor;
  }

  /**
   * Empties the file at `path`, lets `fill` write into it, and closes it.
   *
   * @param breathe called between the steps of the work that is left then
   */
  static async write<T>(
    path: string,
    fill: (file: NetcdfSink) => Promise<T>,
    breathe: () => Promise<void> = async () => {},
  ): Promise<T> {
    const descriptor = openSync(path, "w+");
    try {
      const file = new ClassicWriter(descriptor);
      const value = await fill(file);
      await file.#complete(breathe);
      return value;
    } finally {
      closeSync(descriptor);
    }
  }

  globals(attributes: Attributes): void {
    this.#globals = attributes;
  }

  declare(name: string, size: number, unlimited = false): void {
    // The format knows no empty dimension but that of records.
    this.#dimensions.set(name, { name, size, isRecord: unlimited || size === 0 });
  }

  dimension(name: string, size: number): void {
    this.declare(name, size);
  }

  values(shape: VariableShape, data: Float64Array | Int32Array): void {
    const bytes = Buffer.from(data.slice().buffer);
    if (data instanceof Int32Array) this.#add(shape, "int", bytes.swap32());
    else this.#add(shape, "double", bytes.swap64());
  }

  doubles(shape: VariableShape, chunk: readonly number[]): void {
    this.#add(
      shape,
      "double",
      null,
      chunk.slice(1).reduce((a, b) => a * b, 1),
    );
  }

  names(name: string, dimension: string, texts: readonly string[], attributes: Attributes): void {
    const { width, cells } = charCells(texts);
    this.dimension(`${name}_strlen`, width);
    const dimensions = [dimension, `${name}_strlen`];
    this.#add({ name, dimensions, attributes: { ...attributes, _Encoding: "utf-8" } }, "char", Buffer.from(cells));
  }

  strings(shape: VariableShape): never {
    throw new FormatFailure(
      "invalid",
      `A NetCDF-3 file holds no texts like those of ${shape.name}. Choose NetCDF-4, or a file of satellites.`,
    );
  }

  /** The block lies in one piece: it spans whole rows of all axes but one, or a column of the records. */
  write(name: string, start: readonly number[], data: Float64Array): void {
    const { begins, waiting, records } = this.#begin();
    const { at, sizes } = defined(begins.get(name));
    const variable = waiting.get(name);
    const inner = start.slice(1).reduce((index, from, axis) => index * sizes[axis + 1]! + from, 0);
    if (variable) {
      const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
      this.#put(bytes, waitingPlace(records, variable, start[0]!, inner));
      return;
    }
    const first = start[0]! * sizes.slice(1).reduce((a, b) => a * b, 1) + inner;
    const room = this.#scratch.length / 8;
    for (let from = 0; from < data.length; from += room) {
      const part = data.subarray(from, from + room);
      const bytes = this.#scratch.subarray(0, 8 * part.length);
      bytes.set(new Uint8Array(part.buffer, part.byteOffset, part.byteLength));
      this.#put(bytes.swap64(), at + 8 * (first + from));
    }
  }

  async drained(): Promise<void> {
    // Every block is in the file already.
  }

  #add(shape: VariableShape, type: ClassicType, bytes: Buffer | null, width = 1): void {
    if (this.#places) throw new Error(`${shape.name} is declared after the first values were written.`);
    const dimensions = shape.dimensions.map((d) => defined(this.#dimensions.get(d)));
    const size = variableBytes({ type, dimensions });
    if (size > MAX_VARIABLE_BYTES) {
      throw new FormatFailure(
        "tooLarge",
        `NetCDF-3 holds at most 4.3 GB in one variable, and ${shape.name} would take ${(size / 1e9).toFixed(1)} GB. ` +
          "Choose NetCDF-4, a shorter range or fewer stations.",
      );
    }
    this.#variables.push({ name: shape.name, type, dimensions, attributes: shape.attributes, bytes, width });
  }

  /** Writes the header and the values that are known already, before the first others. */
  #begin(): Places {
    if (this.#places) return this.#places;
    const layout = layOut([...this.#dimensions.values()], this.#globals, this.#variables);
    const { header, begins, recordsBegin, recordBytes, endByte } = layout;
    this.#put(header, 0);
    this.#variables.forEach(({ bytes }, i) => {
      if (bytes) this.#put(bytes, begins[i]!);
    });
    const count = [...this.#dimensions.values()].find((d) => d.isRecord)?.size ?? 0;
    const waiting = new Map<string, WaitingVariable>();
    this.#variables.forEach((variable, i) => {
      if (!hasRecords(variable)) return;
      const [place, columns] = [(begins[i]! - recordsBegin) / 8, variableBytes(variable) / 8 / variable.width];
      waiting.set(variable.name, { waitingAt: endByte + 8 * place * count, width: variable.width, columns, place });
    });
    this.#places = {
      begins: new Map(
        this.#variables.map((v, i) => [v.name, { at: begins[i]!, sizes: v.dimensions.map((d) => d.size) }]),
      ),
      waiting,
      records: { count, values: recordBytes / 8, variables: [...waiting.values()] },
      recordsBegin,
      endByte,
    };
    return this.#places;
  }

  async #complete(breathe: () => Promise<void>): Promise<void> {
    const { records, recordsBegin, endByte } = this.#begin();
    let at = recordsBegin;
    for (const woven of wovenRecords(this.#descriptor, records)) {
      this.#put(woven, at);
      at += woven.length;
      await breathe();
    }
    // Padding behind the last variable belongs to the file, and what waited does not.
    ftruncateSync(this.#descriptor, endByte);
  }

  #put(bytes: Uint8Array, at: number): void {
    for (let done = 0; done < bytes.length;) {
      done += writeSync(this.#descriptor, bytes, done, bytes.length - done, at + done);
    }
  }
}
