/** The buffers of all typed arrays in a message, each once, to be moved instead of copied. */
export function buffersIn(message: unknown): ArrayBuffer[] {
  const found = new Set<ArrayBuffer>();
  const visit = (value: unknown): void => {
    if (ArrayBuffer.isView(value)) {
      if (value.buffer instanceof ArrayBuffer && value.byteLength === value.buffer.byteLength) found.add(value.buffer);
    } else if (Array.isArray(value)) {
      // Lists of texts and numbers hold no buffers: a look at the first is enough for the long ones.
      if (typeof value[0] === "object") for (const item of value) visit(item);
    } else if (typeof value === "object" && value !== null) {
      for (const item of Object.values(value)) visit(item);
    }
  };
  visit(message);
  return [...found];
}
