import type { Dataset, File } from "h5wasm/node";
import { hdf5Library, markAborted } from "../library.ts";
import { type Attributes, chunkOf, type VariableShape, withoutNul } from "../sink.ts";
import type { LongText } from "./attributes.ts";

/** A variable of texts of any length. */
export interface TextVariable {
  readonly shape: VariableShape;
  readonly sizes: readonly number[];
  /** Null for an unlimited axis. */
  readonly maxSizes: readonly (number | null)[];
  readonly texts: string[];
}

/**
 * Adds to a complete file what only the HDF5 library can write: attributes above 64 kB, and variables of texts of any
 * length.
 */
export async function addTexts(
  path: string,
  attributes: readonly LongText[],
  variables: readonly TextVariable[],
): Promise<void> {
  if (attributes.length === 0 && variables.length === 0) return;
  const h5 = await hdf5Library();
  try {
    const file = new h5.File(path, "a");
    try {
      for (const { owner, name, value } of attributes) {
        writeText(owner === "/" ? file : (file.get(owner) as Dataset), name, withoutNul(value));
      }
      for (const { shape, sizes, maxSizes, texts } of variables) {
        const dataset = file.create_dataset({
          name: shape.name,
          data: texts,
          shape: [...sizes],
          dtype: "S",
          track_order: true,
          ...(maxSizes.includes(null)
            ? {
                maxshape: [...maxSizes],
                chunks: sizes.map((n, axis) => (axis === 0 ? chunkOf(n) : 1)),
              }
            : {}),
        });
        shape.dimensions.forEach((dimension, axis) => dataset.attach_scale(axis, `/${dimension}`));
        writeAttributes(dataset, shape.attributes);
      }
      file.flush();
    } finally {
      file.close();
    }
  } catch (thrown) {
    markAborted(thrown, h5);
    throw thrown;
  }
}

function writeAttributes(owner: Dataset, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === "") continue;
    if (typeof value === "number") owner.create_attribute(name, [value], [1], "<d");
    else if (typeof value !== "string") owner.create_attribute(name, [...value], [value.length], "<i");
    else writeText(owner, name, withoutNul(value));
  }
}

function writeText(owner: File | Dataset, name: string, text: string): void {
  const bytes = Buffer.byteLength(text);
  const kind = bytes === text.length ? "A" : "S";
  owner.create_attribute(name, text, null, `${kind}${bytes}`);
}
