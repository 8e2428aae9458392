import { closeSync, ftruncateSync, openSync } from "node:fs";
import { bytesOf } from "#shared/arrays.ts";
import { defined } from "#shared/defined.ts";
import { FormatFailure } from "../error.ts";
import { writeFully } from "../fileBytes.ts";
import { type Attributes, charCells, CHUNK, type NetcdfSink, type VariableShape } from "../netcdf/sink.ts";
import {
  type ClassicDimension,
  type ClassicType,
  type ClassicVariable,
  hasRecords,
  interleavedRecords,
  layOut,
  type Records,
  type StagedVariable,
  stagingAddress,
  variableBytes,
} from "./header.ts";

/** Limit of the format for a variable, or its part of a record: the size is an unsigned 32-bit multiple of four. */
const MAX_VARIABLE_BYTES = 2 ** 32 - 4;

interface Declared extends ClassicVariable {
  /** Values written with the header; null for a variable filled by `write`. */
  readonly bytes: Buffer | null;
  /** Values per row of the written blocks. */
  readonly width: number;
}

/** Positions of the values, known once the header is written. */
interface Positions {
  readonly begins: ReadonlyMap<string, { readonly at: number; readonly sizes: readonly number[] }>;
  readonly staged: ReadonlyMap<string, StagedVariable>;
  readonly records: Records;
  readonly recordsBegin: number;
  readonly endByte: number;
}

/**
 * Writes a classic NetCDF file with 64-bit offsets (CDF-2), supported by every NetCDF tool since 2004: without compression,
 * with one unlimited dimension, without texts of variable length, big-endian. The unlimited dimension is stored as
 * records, each with the values of all variables. Values arrive by variable and station, so they are staged after the
 * end of the file and interleaved into records at the end.
 */
export class ClassicWriter implements NetcdfSink {
  readonly #descriptor: number;
  readonly #dimensions = new Map<string, ClassicDimension>();
  readonly #variables: Declared[] = [];
  readonly #scratch = Buffer.allocUnsafe(8 * CHUNK);
  #globals: Attributes = {};
  #positions: Positions | null = null;

  private constructor(descriptor: number) {
    this.#descriptor = descriptor;
  }

  /**
   * Empties the file at `path`, lets `fill` write into it, and closes it.
   *
   * @param step called between the steps of interleaving records
   */
  static async write<T>(
    path: string,
    fill: (file: NetcdfSink) => Promise<T>,
    step: () => Promise<void> = async () => {},
  ): Promise<T> {
    const descriptor = openSync(path, "w+");
    try {
      const file = new ClassicWriter(descriptor);
      const value = await fill(file);
      await file.#complete(step);
      return value;
    } finally {
      closeSync(descriptor);
    }
  }

  globals(attributes: Attributes): void {
    this.#globals = attributes;
  }

  declare(name: string, size: number, unlimited = false): void {
    // In this format, only the record dimension can be empty.
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

  /** Blocks are contiguous: they span all axes but the first one, or a column of the records. */
  write(name: string, start: readonly number[], data: Float64Array): void {
    const { begins, staged, records } = this.#begin();
    const { at, sizes } = defined(begins.get(name));
    const variable = staged.get(name);
    const [outer = 0, ...innerStart] = start;
    const innerSizes = sizes.slice(1);
    const inner = innerStart.reduce((index, from, axis) => index * (innerSizes[axis] ?? 1) + from, 0);
    if (variable) {
      this.#put(bytesOf(data), stagingAddress(records, variable, outer, inner));
      return;
    }
    const first = outer * innerSizes.reduce((a, b) => a * b, 1) + inner;
    const maxValues = this.#scratch.length / 8;
    for (let from = 0; from < data.length; from += maxValues) {
      const part = data.subarray(from, from + maxValues);
      const bytes = this.#scratch.subarray(0, 8 * part.length);
      bytes.set(bytesOf(part));
      this.#put(bytes.swap64(), at + 8 * (first + from));
    }
  }

  async drained(): Promise<void> {
    // Writes are synchronous.
  }

  #add(shape: VariableShape, type: ClassicType, bytes: Buffer | null, width = 1): void {
    if (this.#positions) throw new Error(`${shape.name} is declared after the first values were written.`);
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

  /** Writes the header and the declared values, once. */
  #begin(): Positions {
    if (this.#positions) return this.#positions;
    const layout = layOut([...this.#dimensions.values()], this.#globals, this.#variables);
    const { header, variables, recordsBegin, recordBytes, endByte } = layout;
    this.#put(header, 0);
    for (const { variable, begin } of variables) if (variable.bytes) this.#put(variable.bytes, begin);
    const count = [...this.#dimensions.values()].find((d) => d.isRecord)?.size ?? 0;
    const staged = new Map<string, StagedVariable>();
    for (const { variable, begin } of variables) {
      if (!hasRecords(variable)) continue;
      const [index, columns] = [(begin - recordsBegin) / 8, variableBytes(variable) / 8 / variable.width];
      staged.set(variable.name, { address: endByte + 8 * index * count, width: variable.width, columns, index });
    }
    this.#positions = {
      begins: new Map(
        variables.map(({ variable: { name, dimensions }, begin }) => [
          name,
          { at: begin, sizes: dimensions.map((d) => d.size) },
        ]),
      ),
      staged,
      records: { count, values: recordBytes / 8, variables: [...staged.values()] },
      recordsBegin,
      endByte,
    };
    return this.#positions;
  }

  async #complete(step: () => Promise<void>): Promise<void> {
    const { records, recordsBegin, endByte } = this.#begin();
    let at = recordsBegin;
    for (const block of interleavedRecords(this.#descriptor, records)) {
      this.#put(block, at);
      at += block.length;
      await step();
    }
    // Keeps the padding of the last variable and removes the staged values.
    ftruncateSync(this.#descriptor, endByte);
  }

  #put(bytes: Uint8Array, at: number): void {
    writeFully(this.#descriptor, bytes, at);
  }
}
