import { closeSync, ftruncateSync, openSync, writeSync } from "node:fs";
import { FormatFailure } from "../error.ts";
import { type Attributes, charCells, CHUNK, type NetcdfSink, type VariableShape } from "../netcdf/sink.ts";
import { type ClassicDimension, type ClassicType, type ClassicVariable, layOut, variableBytes } from "./header.ts";

/** Bound of the format on one variable: its size is an unsigned 32-bit number of whole words. */
const MAX_VARIABLE_BYTES = 2 ** 32 - 4;

interface Declared extends ClassicVariable {
  /** Values that are written with the header; null for a variable that `write` fills. */
  readonly bytes: Buffer | null;
}

/**
 * Writes a classic NetCDF file with 64-bit offsets (CDF-2), which every NetCDF tool since 2004 opens. There is no
 * compression, no dimension that can grow, and no text of free length; values are big-endian.
 */
export class ClassicWriter implements NetcdfSink {
  readonly #descriptor: number;
  readonly #dimensions = new Map<string, ClassicDimension>();
  readonly #variables: Declared[] = [];
  readonly #scratch = Buffer.allocUnsafe(8 * CHUNK);
  #globals: Attributes = {};
  /** Where the variables begin, once the header is written. */
  #begins: ReadonlyMap<string, { readonly at: number; readonly sizes: readonly number[] }> | null = null;

  private constructor(descriptor: number) {
    this.#descriptor = descriptor;
  }

  /** Empties the file at `path`, lets `fill` write into it, and closes it. */
  static async write<T>(path: string, fill: (file: NetcdfSink) => Promise<T>): Promise<T> {
    const descriptor = openSync(path, "w");
    try {
      const file = new ClassicWriter(descriptor);
      const value = await fill(file);
      file.#begin();
      return value;
    } finally {
      closeSync(descriptor);
    }
  }

  globals(attributes: Attributes): void {
    this.#globals = attributes;
  }

  declare(name: string, size: number): void {
    this.#dimensions.set(name, { name, size });
  }

  dimension(name: string, size: number): void {
    this.declare(name, size);
  }

  values(shape: VariableShape, data: Float64Array | Int32Array): void {
    const bytes = Buffer.from(data.slice().buffer);
    if (data instanceof Int32Array) this.#add(shape, "int", bytes.swap32());
    else this.#add(shape, "double", bytes.swap64());
  }

  doubles(shape: VariableShape): void {
    this.#add(shape, "double", null);
  }

  chars(name: string, dimension: string, texts: readonly string[], attributes: Attributes): void {
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

  /** The block lies in one piece: it spans whole rows of all axes but one. */
  write(name: string, start: readonly number[], data: Float64Array): void {
    const place = this.#begin().get(name)!;
    const first = place.sizes.reduce((index, size, axis) => index * size + start[axis]!, 0);
    const room = this.#scratch.length / 8;
    for (let from = 0; from < data.length; from += room) {
      const part = data.subarray(from, from + room);
      const bytes = this.#scratch.subarray(0, 8 * part.length);
      bytes.set(new Uint8Array(part.buffer, part.byteOffset, part.byteLength));
      this.#put(bytes.swap64(), place.at + 8 * (first + from));
    }
  }

  async drained(): Promise<void> {
    // Every block is in the file already.
  }

  #add(shape: VariableShape, type: ClassicType, bytes: Buffer | null): void {
    if (this.#begins) throw new Error(`${shape.name} is declared after the first values were written.`);
    const dimensions = shape.dimensions.map((d) => this.#dimensions.get(d)!);
    const size = variableBytes({ type, dimensions });
    if (size > MAX_VARIABLE_BYTES) {
      throw new FormatFailure(
        "tooLarge",
        `NetCDF-3 holds at most 4.3 GB in one variable, and ${shape.name} would take ${(size / 1e9).toFixed(1)} GB. ` +
          "Choose NetCDF-4, a shorter range or fewer stations.",
      );
    }
    this.#variables.push({ name: shape.name, type, dimensions, attributes: shape.attributes, bytes });
  }

  /** Writes the header and the values that are known already, before the first others. */
  #begin() {
    if (this.#begins) return this.#begins;
    const { header, begins, endByte } = layOut([...this.#dimensions.values()], this.#globals, this.#variables);
    this.#put(header, 0);
    this.#variables.forEach(({ bytes }, i) => {
      if (bytes) this.#put(bytes, begins[i]!);
    });
    // Padding behind the last variable belongs to the file.
    ftruncateSync(this.#descriptor, endByte);
    this.#begins = new Map(
      this.#variables.map((v, i) => [v.name, { at: begins[i]!, sizes: v.dimensions.map((d) => d.size) }]),
    );
    return this.#begins;
  }

  #put(bytes: Buffer, at: number): void {
    for (let done = 0; done < bytes.length;) {
      done += writeSync(this.#descriptor, bytes, done, bytes.length - done, at + done);
    }
  }
}
