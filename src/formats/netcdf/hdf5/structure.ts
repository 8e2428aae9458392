import { deflateSync } from "node:zlib";
import { bytesOf } from "#shared/arrays.ts";
import { defined } from "#shared/defined.ts";
import { type Attributes, charCells, FILL_DOUBLE, type VariableShape } from "../sink.ts";
import {
  attribute,
  attributeInfo,
  attributeMessages,
  chunked,
  contiguous,
  dataspace,
  type Datatype,
  datatype,
  deflated,
  DIMENSION_USE,
  fillValue,
  fixedText,
  FLOAT32,
  FLOAT64,
  groupInfo,
  heapReference,
  INT32,
  link,
  linkInfo,
  type LongText,
  longTexts,
  type Message,
  REFERENCE_LIST,
  SCALAR,
  shuffledAndDeflated,
  simple,
  u32,
  u64,
  UNDEFINED,
} from "./messages.ts";
import { chunkIndex } from "./chunkIndex.ts";
import { DEFLATE_LEVEL } from "./chunkStream.ts";
import { globalHeap, objectHeader } from "./objects.ts";

/** NetCDF's default fill value of integers. */
const FILL_INT = -2_147_483_647;

interface Dimension {
  /** Order of declaration, as in netcdf-c. */
  readonly number: number;
  readonly size: number;
  readonly unlimited: boolean;
}

/** Values of a variable: none, numbers or fixed-width texts, or chunks stored elsewhere. */
type Content = null | Uint8Array | { readonly chunk: readonly number[]; index: bigint };

interface Dataset {
  readonly name: string;
  readonly type: Datatype;
  readonly elementBytes: number;
  readonly dimensions: readonly string[];
  readonly content: Content;
  /** Name as a dimension scale; null for other variables. */
  readonly scaleName: string | null;
  readonly attributes: Attributes;
}

/** Addresses of the objects of a file. */
interface Addresses {
  readonly heap: number;
  readonly headers: ReadonlyMap<Dataset, number>;
  /** How the values of each variable are stored. */
  readonly layouts: ReadonlyMap<Dataset, readonly Message[]>;
}

/**
 * The structure of a NetCDF-4 file, laid out in HDF5 as netcdf-c does: dimensions are dimension scales, and every axis of a
 * variable is attached to one. It includes the values of small variables and refers to the chunks of large ones, so it is
 * written after the chunks.
 */
export class Hdf5Structure {
  readonly #dimensions = new Map<string, Dimension>();
  readonly #datasets: Dataset[] = [];
  #globals: Attributes = {};

  globals(attributes: Attributes): void {
    this.#globals = attributes;
  }

  /** Declares a dimension with a coordinate variable of the same name, to be added later. */
  declare(name: string, size: number, unlimited = false): void {
    this.#dimensions.set(name, { number: this.#dimensions.size, size, unlimited });
  }

  /** Declares a dimension without a coordinate variable. */
  dimension(name: string, size: number): void {
    this.declare(name, size);
    const scaleName = `This is a netCDF dimension but not a netCDF variable.${String(size).padStart(10)}`;
    const noValues = { type: FLOAT32, elementBytes: 4, content: null, attributes: {} };
    this.#datasets.push({ name, dimensions: [name], scaleName, ...noValues });
  }

  /** Adds a small numeric variable with its values; a scalar without dimensions. */
  values(shape: VariableShape, data: Float64Array | Int32Array): void {
    const [type, elementBytes] = data instanceof Int32Array ? [INT32, 4] : [FLOAT64, 8];
    this.#add(shape, type, elementBytes, bytesOf(data).slice());
  }

  /**
   * Adds a double variable whose chunks are stored elsewhere.
   *
   * @returns a function that sets the address of their index
   */
  chunks(shape: VariableShape, chunk: readonly number[]): (address: bigint) => void {
    const content = { chunk, index: UNDEFINED };
    this.#add(shape, FLOAT64, 8, content);
    return (address) => {
      content.index = address;
    };
  }

  /** Adds a variable with one text per element of `dimension`, as characters. */
  names(name: string, dimension: string, texts: readonly string[], attributes: Attributes): void {
    const { width, cells } = charCells(texts);
    this.dimension(`${name}_strlen`, width);
    const shape = {
      name,
      dimensions: [dimension, `${name}_strlen`],
      attributes: { ...attributes, _Encoding: "utf-8" },
    };
    this.#add(shape, fixedText(1, false), 1, cells);
  }

  sizes(dimensions: readonly string[]): number[] {
    return dimensions.map((d) => this.#dimension(d).size);
  }

  /** Null for an unlimited dimension. */
  maxSizes(dimensions: readonly string[]): (number | null)[] {
    return dimensions.map((name) => {
      const { size, unlimited } = this.#dimension(name);
      return unlimited ? null : size;
    });
  }

  #dimension(name: string) {
    return defined(this.#dimensions.get(name));
  }

  /** Returns the attributes that do not fit into a header and are left out. */
  longTexts(): LongText[] {
    const owners = [{ name: "/", attributes: this.#globals }, ...this.#datasets];
    return owners.flatMap(({ name, attributes }) => longTexts(name, attributes));
  }

  /**
   * Encodes the structure.
   *
   * @param address where the bytes will be written
   * @returns the bytes, and the address of the root group
   */
  bytes(address: number): { readonly bytes: Uint8Array; readonly root: number } {
    let end = address;
    const parts: Uint8Array[] = [];
    const append = (bytes: Uint8Array): number => {
      parts.push(bytes);
      end += bytes.length;
      return end - bytes.length;
    };
    const layouts = new Map(
      this.#datasets.map((dataset) => [dataset, layoutOf(dataset, this.sizes(dataset.dimensions), append, () => end)]),
    );
    // The length of a header does not depend on the addresses in it.
    const unknown: Addresses = { heap: 0, headers: new Map(), layouts };
    const headers = new Map<Dataset, number>();
    let next = end;
    for (const dataset of this.#datasets) {
      headers.set(dataset, next);
      next += this.#header(dataset, unknown).length;
    }
    const addresses = { heap: next, headers, layouts };
    for (const dataset of this.#datasets) append(this.#header(dataset, addresses));
    append(globalHeap(this.#attachments().map(({ scale }) => u64(defined(headers.get(scale))))));
    const root = append(this.#root(headers));
    return { bytes: Buffer.concat(parts), root };
  }

  #add(shape: VariableShape, type: Datatype, elementBytes: number, content: Content): void {
    const { name, dimensions, attributes } = shape;
    const scaleName = dimensions.length === 1 && dimensions[0] === name ? name : null;
    this.#datasets.push({ name, type, elementBytes, dimensions, content, scaleName, attributes });
  }

  /** Returns all axes of variables with their dimensions, in the order of the heap. */
  #attachments(): { readonly dataset: Dataset; readonly axis: number; readonly scale: Dataset }[] {
    const scales = new Map(this.#datasets.flatMap((d) => (d.scaleName === null ? [] : [[d.name, d] as const])));
    return this.#datasets
      .filter((dataset) => dataset.scaleName === null)
      .flatMap((dataset) =>
        dataset.dimensions.map((name, axis) => ({ dataset, axis, scale: defined(scales.get(name)) })),
      );
  }

  #header(dataset: Dataset, addresses: Addresses): Uint8Array {
    const { type, dimensions, content, attributes } = dataset;
    const sizes = this.sizes(dimensions);
    const isChunked = isChunks(content);
    const messages = [...this.#dimensionAttributes(dataset, addresses), ...attributeMessages(attributes)];
    return objectHeader([
      dataspace(simple(sizes, isChunked ? this.maxSizes(dimensions) : [])),
      datatype(type),
      fillValue(isChunked, fillOf(type)),
      ...defined(addresses.layouts.get(dataset)),
      attributeInfo(messages.length),
      ...messages,
    ]);
  }

  /** Attributes that link a variable to its dimensions, and a dimension to its variables. */
  #dimensionAttributes(dataset: Dataset, { heap, headers }: Addresses): Message[] {
    const all = this.#attachments();
    if (dataset.scaleName === null) {
      const own = all.flatMap((axis, i) => (axis.dataset === dataset ? [heapReference(1, heap, i + 1)] : []));
      return own.length === 0
        ? []
        : [attribute("DIMENSION_LIST", REFERENCE_LIST, simple([own.length]), Buffer.concat(own))];
    }
    const uses = all.filter(({ scale }) => scale === dataset);
    const data = uses.map((use) => [u64(headers.get(use.dataset) ?? 0), u32(use.axis), u32(0)]);
    const { number } = this.#dimension(dataset.name);
    return [
      // Without it, netcdf-c renumbers the dimensions when a program changes the file, and confuses them.
      attribute("_Netcdf4Dimid", INT32, SCALAR, bytesOf(Int32Array.of(number))),
      attribute("CLASS", fixedText(16, false), SCALAR, Buffer.from("DIMENSION_SCALE\0", "latin1")),
      attribute(
        "NAME",
        fixedText(dataset.scaleName.length + 1, false),
        SCALAR,
        Buffer.from(`${dataset.scaleName}\0`, "latin1"),
      ),
      ...(uses.length > 0
        ? [attribute("REFERENCE_LIST", DIMENSION_USE, simple([uses.length]), Buffer.concat(data.flat()))]
        : []),
    ];
  }

  #root(headers: ReadonlyMap<Dataset, number>): Uint8Array {
    const messages = attributeMessages(this.#globals);
    return objectHeader([
      linkInfo(this.#datasets.length),
      groupInfo(),
      attributeInfo(messages.length),
      ...this.#datasets.map((dataset, i) => link(dataset.name, i, defined(headers.get(dataset)))),
      ...messages,
    ]);
  }
}

/** Of the values of a variable that are kept in memory. */
const CHUNK_BYTES = 1 << 20;

/**
 * Stores the values of a variable: in compressed chunks, because zlib adds a checksum, unless there is nothing to protect.
 *
 * @param append returns the address of the appended bytes @param end where the next bytes will be
 */
function layoutOf(
  { content, elementBytes }: Dataset,
  sizes: readonly number[],
  append: (bytes: Uint8Array) => number,
  end: () => number,
): readonly Message[] {
  if (isChunks(content))
    return [chunked(content.index, [...content.chunk, elementBytes]), shuffledAndDeflated(elementBytes, DEFLATE_LEVEL)];
  const bytes = sizes.reduce((a, b) => a * b, elementBytes);
  // A scalar has no chunks.
  if (content === null || sizes.length === 0 || bytes === 0)
    return [contiguous(content === null ? UNDEFINED : append(content), bytes)];
  const [rows = 1, ...inner] = sizes;
  const rowBytes = content.length / rows;
  const length = Math.min(rows, Math.max(1, Math.floor(CHUNK_BYTES / rowBytes)));
  const chunks = Math.ceil(rows / length);
  const stored = Array.from({ length: chunks }, (_, i) => {
    const chunk = Buffer.alloc(length * rowBytes);
    chunk.set(content.subarray(i * chunk.length, (i + 1) * chunk.length));
    const stored = deflateSync(chunk, { level: DEFLATE_LEVEL });
    return { address: append(stored), bytes: stored.length };
  });
  const axes = [{ length, chunks }, ...inner.map((size) => ({ length: size, chunks: 1 }))];
  const located = {
    addresses: Float64Array.from(stored, ({ address }) => address),
    bytes: Uint32Array.from(stored, ({ bytes }) => bytes),
    filterMasks: new Uint8Array(chunks),
  };
  const index = chunkIndex({ axes, elementBytes }, located, end());
  append(index.bytes);
  return [chunked(index.root, [length, ...inner, elementBytes]), deflated(DEFLATE_LEVEL)];
}

function isChunks(content: Content): content is Exclude<Content, null | Uint8Array> {
  return content !== null && !(content instanceof Uint8Array);
}

/** The fill value of this type in netcdf-c. */
function fillOf(type: Datatype): Uint8Array {
  if (type === FLOAT64) return bytesOf(Float64Array.of(FILL_DOUBLE));
  return type === INT32 ? bytesOf(Int32Array.of(FILL_INT)) : new Uint8Array(0);
}
