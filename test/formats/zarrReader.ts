import { FileSystemStore } from "@zarrita/storage";
import * as zarr from "zarrita";

export interface ZarrArray {
  readonly shape: readonly number[];
  readonly dimensions: readonly (string | null | undefined)[];
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly values: readonly (number | string | null)[];
}

/** All arrays of a store, by name, from its consolidated metadata. */
export async function readZarr(path: string): Promise<Map<string, ZarrArray>> {
  const store = await zarr.withConsolidatedMetadata(new FileSystemStore(path), { format: "v3" });
  const root = zarr.root(store);
  const found = new Map<string, ZarrArray>();
  for (const { path: name, kind } of store.contents()) {
    if (kind !== "array") continue;
    const array = await zarr.open(root.resolve(name), { kind: "array" });
    const values = array.shape.includes(0) ? [] : valuesOf(await zarr.get(array));
    const { shape, attrs: attributes, dimensionNames: dimensions = [] } = array;
    found.set(name.slice(1), { shape, dimensions, attributes, values });
  }
  return found;
}

function valuesOf(chunk: unknown): (number | string | null)[] {
  if (typeof chunk !== "object" || chunk === null) return [Number(chunk)];
  const { data } = chunk as { readonly data: Iterable<number | bigint | string> };
  return Array.from(data, (v) => (typeof v === "string" ? v : Number.isNaN(Number(v)) ? null : Number(v)));
}
