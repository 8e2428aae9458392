/** Resolves the values of a row to slots: one for each satellite, so that each slot changes smoothly from row to row. */
export interface SlotResolver {
  /** Slots of the `count` values of a row. Keyed where the row's satellite list is as long, else by place in the row. */
  resolve(key: string | null, count: number): { readonly slots: Int32Array; readonly keyed: boolean };
  /** How many slots there are so far; they are numbered as they are met. */
  size(): number;
}

export function slotResolver(): SlotResolver {
  const known = new Map<string, number>();
  const lists = new Map<string, Int32Array>();
  const slotOf = (name: string): number => {
    const next = known.size;
    const slot = known.get(name) ?? next;
    if (slot === next) known.set(name, slot);
    return slot;
  };
  // A list stays the same for minutes: most rows find that of the row before.
  let lastKey: string | null = null;
  let lastSlots = new Int32Array(0);
  return {
    size: () => known.size,
    resolve(key, count) {
      if (key !== null && key !== lastKey && commas(key) + 1 === count) {
        lastSlots = listOf(key);
        lastKey = key;
      }
      if (key !== null && key === lastKey && lastSlots.length === count) return { slots: lastSlots, keyed: true };
      return { slots: Int32Array.from({ length: count }, (_, place) => slotOf(`place ${place}`)), keyed: false };
    },
  };

  function listOf(key: string): Int32Array<ArrayBuffer> {
    const found = lists.get(key);
    if (found) return found as Int32Array<ArrayBuffer>;
    const slots = Int32Array.from(key.split(","), slotOf);
    lists.set(key, slots);
    return slots;
  }
}

export function commas(text: string): number {
  let n = 0;
  for (let at = text.indexOf(","); at >= 0; at = text.indexOf(",", at + 1)) n++;
  return n;
}
