/** Values over ascending times; NaN where a row has none. */
interface Values {
  readonly timesMs: Float64Array;
  readonly values: Float64Array;
}

/** The values of the raw series that the filtered one does not have at that time, or has otherwise. */
export function removedValues(raw: Values, filtered: Values): Values {
  const timesMs: number[] = [];
  const values: number[] = [];
  let k = 0;
  for (let i = 0; i < raw.timesMs.length; i++) {
    const timeMs = raw.timesMs[i]!;
    const value = raw.values[i]!;
    while (k < filtered.timesMs.length && filtered.timesMs[k]! < timeMs) k++;
    if (Number.isNaN(value) || (filtered.timesMs[k] === timeMs && filtered.values[k] === value)) continue;
    timesMs.push(timeMs);
    values.push(value);
  }
  return { timesMs: Float64Array.from(timesMs), values: Float64Array.from(values) };
}
