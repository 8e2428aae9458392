import { DamagedData } from "../errors.ts";

/** Values or bytes of one chunk; ours have a hundredth of it. What claims more would fill the memory. */
const MOST = 2 ** 27;

/** @returns the count @throws DamagedData where no chunk holds so many */
export function bounded(count: number): number {
  if (!(count <= MOST)) throw new DamagedData("a chunk of impossible size");
  return count;
}
