import { defined } from "#shared/defined.ts";
import {
  type Attributes,
  type AttributeValue,
  charCells,
  FILL_DOUBLE,
  isAscii,
  type VariableShape,
  withoutNul,
} from "../sink.ts";
import { DEFLATE_LEVEL } from "./deflate.ts";
import {
  attribute,
  attributeInfo,
  bytesOf,
  chunked,
  contiguous,
  type Datatype,
  dataspace,
  datatype,
  fillValue,
  FLOAT32,
  FLOAT64,
  groupInfo,
  heapReference,
  INT32,
  link,
  linkInfo,
  type Message,
  plainAttribute,
  REFERENCES,
  SCALAR,
  shuffledAndDeflated,
  simple,
  text,
  TEXTS,
  u32,
  u64,
  UNDEFINED,
  USES,
} from "./messages.ts";
import { globalHeap, MAX_HEAP_ENTRIES, objectHeader } from "./objects.ts";

/** The default fill value of NetCDF for whole numbers. */
const FILL_INT = -2_147_483_647;
/** A message of a header has at most 64 kB. */
const MOST_TEXT_BYTES = 60_000;

/** An attribute; its owner is a variable, or the file where it is "/". */
export interface LongText {
  readonly owner: string;
  readonly name: string;
  readonly value: string;
}

interface Dimension {
  /** Its place among the dimensions as netcdf-c counts them. */
  readonly number: number;
  readonly size: number;
  readonly unlimited: boolean;
}

/** What a variable has of values: none at all, all of them, texts, or chunks that lie elsewhere. */
type Content = null | Uint8Array | readonly Uint8Array[] | { readonly chunk: readonly number[]; index: bigint };

interface Dataset {
  readonly name: string;
  readonly type: Datatype;
  readonly elementBytes: number;
  readonly dimensions: readonly string[];
  readonly content: Content;
  /** What a dimension is called, where this is one. */
  readonly scaleName: string | null;
  readonly attributes: Attributes;
}

/** Where the objects of a file are. */
interface Places {
  readonly heap: number;
  readonly headers: ReadonlyMap<Dataset, number>;
  readonly contents: ReadonlyMap<Dataset, number>;
}

/**
 * The structure of a NetCDF-4 file the way netcdf-c lays it out in HDF5: dimensions are dimension scales, and every axis
 * of a variable is attached to one. Small variables have their values in it, the chunks of large ones are only pointed at.
 * It is written once all of that is known, so that it lies behind the chunks.
 */
export class Hdf5Structure {
  readonly #dimensions = new Map<string, Dimension>();
  readonly #datasets: Dataset[] = [];
  #globals: Attributes = {};

  globals(attributes: Attributes): void {
    this.#globals = attributes;
  }

  /** Declares a dimension that gets a coordinate variable of the same name later. */
  declare(name: string, size: number, unlimited = false): void {
    this.#dimensions.set(name, { number: this.#dimensions.size, size, unlimited });
  }

  /** Declares a dimension that has no variable of its name. */
  dimension(name: string, size: number): void {
    this.declare(name, size);
    const scaleName = `This is a netCDF dimension but not a netCDF variable.${String(size).padStart(10)}`;
    const nothing = { type: FLOAT32, elementBytes: 4, content: null, attributes: {} };
    this.#datasets.push({ name, dimensions: [name], scaleName, ...nothing });
  }

  /** A numeric variable with its values, for the small ones. Scalar where it has no dimension. */
  values(shape: VariableShape, data: Float64Array | Int32Array): void {
    const [type, elementBytes] = data instanceof Int32Array ? [INT32, 4] : [FLOAT64, 8];
    this.#add(shape, type, elementBytes, bytesOf(data).slice());
  }

  /**
   * A double variable whose chunks lie elsewhere.
   *
   * @returns to be called with the address of their index, once that is known
   */
  chunks(shape: VariableShape, chunk: readonly number[]): (index: bigint) => void {
    const content = { chunk, index: UNDEFINED };
    this.#add(shape, FLOAT64, 8, content);
    return (index) => {
      content.index = index;
    };
  }

  /**
   * One text per element of `dimension`: characters where they are ASCII, which every tool reads and converts, else texts
   * of any length, since some readers take a byte of UTF-8 for a character.
   */
  names(name: string, dimension: string, texts: readonly string[], attributes: Attributes): void {
    if (!texts.every(isAscii)) {
      // An empty text is a NUL: of nothing at all, readers in C make no text.
      const encoded = texts.map((text) => Buffer.from(withoutNul(text) || "\0"));
      this.#add({ name, dimensions: [dimension], attributes }, TEXTS, 16, encoded);
      return;
    }
    const { width, cells } = charCells(texts);
    this.dimension(`${name}_strlen`, width);
    const shape = {
      name,
      dimensions: [dimension, `${name}_strlen`],
      attributes: { ...attributes, _Encoding: "utf-8" },
    };
    this.#add(shape, text(1, false), 1, cells);
  }

  sizes(dimensions: readonly string[]): number[] {
    return dimensions.map((d) => this.#dimension(d).size);
  }

  /** Sizes to which they may grow; null: to any. */
  maxSizes(dimensions: readonly string[]): (number | null)[] {
    return dimensions.map((name) => {
      const { size, unlimited } = this.#dimension(name);
      return unlimited ? null : size;
    });
  }

  #dimension(name: string) {
    return defined(this.#dimensions.get(name));
  }

  /** Texts that no header has room for, which are left out. */
  longTexts(): LongText[] {
    const owners = [{ name: "/", attributes: this.#globals }, ...this.#datasets];
    return owners.flatMap(({ name: owner, attributes }) =>
      Object.entries(attributes).flatMap(([name, value]) => (isLong(value) ? [{ owner, name, value }] : [])),
    );
  }

  /** All of it, to be written at `address`. */
  bytes(address: number): { readonly bytes: Uint8Array; readonly root: number } {
    let at = address;
    const pieces: Uint8Array[] = [];
    const put = (bytes: Uint8Array): number => {
      pieces.push(bytes);
      at += bytes.length;
      return at - bytes.length;
    };
    const contents = new Map<Dataset, number>();
    for (const dataset of this.#datasets) {
      const { content } = dataset;
      if (content instanceof Uint8Array) contents.set(dataset, put(content));
      else if (isTexts(content)) contents.set(dataset, put(Buffer.concat(putTexts(content, put))));
    }
    // How long a header is does not depend on what it points at.
    const nowhere: Places = { heap: 0, headers: new Map(), contents };
    const headers = new Map<Dataset, number>();
    let next = at;
    for (const dataset of this.#datasets) {
      headers.set(dataset, next);
      next += this.#header(dataset, nowhere).length;
    }
    const places = { heap: next, headers, contents };
    for (const dataset of this.#datasets) put(this.#header(dataset, places));
    put(globalHeap(this.#attachments().map(({ scale }) => u64(defined(headers.get(scale))))));
    const root = put(this.#root(headers));
    return { bytes: Buffer.concat(pieces), root };
  }

  #add(shape: VariableShape, type: Datatype, elementBytes: number, content: Content): void {
    const { name, dimensions, attributes } = shape;
    const scaleName = dimensions.length === 1 && dimensions[0] === name ? name : null;
    this.#datasets.push({ name, type, elementBytes, dimensions, content, scaleName, attributes });
  }

  /** Axes of variables in the order of the heap, with the dimension of each. */
  #attachments(): { readonly dataset: Dataset; readonly axis: number; readonly scale: Dataset }[] {
    const scales = new Map(this.#datasets.flatMap((d) => (d.scaleName === null ? [] : [[d.name, d] as const])));
    return this.#datasets
      .filter((dataset) => dataset.scaleName === null)
      .flatMap((dataset) =>
        dataset.dimensions.map((name, axis) => ({ dataset, axis, scale: defined(scales.get(name)) })),
      );
  }

  #header(dataset: Dataset, places: Places): Uint8Array {
    const { type, elementBytes, dimensions, content, attributes } = dataset;
    const sizes = this.sizes(dimensions);
    const isChunked = isChunks(content);
    const told = [...this.#attached(dataset, places), ...plainAttributes(attributes)];
    const stored = isChunked
      ? [chunked(content.index, [...content.chunk, elementBytes]), shuffledAndDeflated(elementBytes, DEFLATE_LEVEL)]
      : [
          contiguous(
            places.contents.get(dataset) ?? UNDEFINED,
            sizes.reduce((a, b) => a * b, elementBytes),
          ),
        ];
    return objectHeader([
      dataspace(simple(sizes, isChunked ? this.maxSizes(dimensions) : [])),
      datatype(type),
      fillValue(isChunked, fillOf(type)),
      ...stored,
      attributeInfo(told.length),
      ...told,
    ]);
  }

  /** How a variable is told its dimensions, and a dimension its variables. */
  #attached(dataset: Dataset, { heap, headers }: Places): Message[] {
    const all = this.#attachments();
    if (dataset.scaleName === null) {
      const own = all.flatMap((of, i) => (of.dataset === dataset ? [heapReference(1, heap, i + 1)] : []));
      return own.length === 0
        ? []
        : [attribute("DIMENSION_LIST", REFERENCES, simple([own.length]), Buffer.concat(own))];
    }
    const uses = all.filter(({ scale }) => scale === dataset);
    const data = uses.map((use) => [u64(headers.get(use.dataset) ?? 0), u32(use.axis), u32(0)]);
    const { number } = this.#dimension(dataset.name);
    return [
      // Without it netcdf-c counts anew after a change of the file, and takes one dimension for another.
      attribute("_Netcdf4Dimid", INT32, SCALAR, bytesOf(Int32Array.of(number))),
      attribute("CLASS", text(16, false), SCALAR, Buffer.from("DIMENSION_SCALE\0", "latin1")),
      attribute(
        "NAME",
        text(dataset.scaleName.length + 1, false),
        SCALAR,
        Buffer.from(`${dataset.scaleName}\0`, "latin1"),
      ),
      ...(uses.length > 0
        ? [attribute("REFERENCE_LIST", USES, simple([uses.length]), Buffer.concat(data.flat()))]
        : []),
    ];
  }

  #root(headers: ReadonlyMap<Dataset, number>): Uint8Array {
    const told = plainAttributes(this.#globals);
    return objectHeader([
      linkInfo(this.#datasets.length),
      groupInfo(),
      attributeInfo(told.length),
      ...this.#datasets.map((dataset, i) => link(dataset.name, i, defined(headers.get(dataset)))),
      ...told,
    ]);
  }
}

function isTexts(content: Content): content is readonly Uint8Array[] {
  return Array.isArray(content);
}

function isChunks(content: Content): content is Exclude<Content, null | Uint8Array | readonly Uint8Array[]> {
  return content !== null && !(content instanceof Uint8Array) && !isTexts(content);
}

/** Puts texts into heaps, and returns a reference to each. */
function putTexts(texts: readonly Uint8Array[], put: (bytes: Uint8Array) => number): Uint8Array[] {
  const references: Uint8Array[] = [];
  for (let from = 0; from < texts.length; from += MAX_HEAP_ENTRIES) {
    const part = texts.slice(from, from + MAX_HEAP_ENTRIES);
    const heap = put(globalHeap(part));
    part.forEach((bytes, i) => references.push(heapReference(bytes.length, heap, i + 1)));
  }
  return references;
}

/** What netcdf-c takes for missing in a variable of this type. */
function fillOf(type: Datatype): Uint8Array {
  if (type === FLOAT64) return bytesOf(Float64Array.of(FILL_DOUBLE));
  return type === INT32 ? bytesOf(Int32Array.of(FILL_INT)) : new Uint8Array(0);
}

/** The messages of attributes that fit into a header; empty attributes are left out. */
function plainAttributes(attributes: Attributes): Message[] {
  return Object.entries(attributes).flatMap(([name, value]) =>
    value === undefined || value === "" || isLong(value)
      ? []
      : [plainAttribute(name, typeof value === "string" ? withoutNul(value) : value)],
  );
}

function isLong(value: AttributeValue | undefined): value is string {
  return typeof value === "string" && Buffer.byteLength(value) > MOST_TEXT_BYTES;
}
