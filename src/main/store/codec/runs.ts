import type { TimeRange } from "#shared/time/range.ts";
import { bounded, type ByteReader, byteReader, byteWriter, doublesOf } from "./bytes.ts";
import { pushRunIn, type Runs } from "#shared/time/runs.ts";
import { DamagedData } from "../errors.ts";
import { columnKernel } from "./kernel/kernel.ts";
import { bytesOf } from "#shared/arrays.ts";
import { compressInto, decompress, decompressed } from "./compress.ts";

const RUNS = 0;
const PLAIN = 1;

/**
 * Encodes times, and other numbers with mostly equal steps, as runs of start, step and count. A day without gaps is one
 * run of a few bytes; each gap adds one. Lists with fractions are stored as doubles.
 */
export function encodeRuns(values: Float64Array): Uint8Array {
  const found = columnKernel().runs(values);
  if (found === null) {
    const plain = byteWriter(1 + values.byteLength);
    plain.unsigned(PLAIN);
    plain.bytes(bytesOf(values));
    return plain.finish();
  }
  const runs = byteWriter();
  let expected = 0;
  for (let i = 0; i < found.length; i += 3) {
    const start = found[i]!;
    const step = found[i + 1]!;
    const count = found[i + 2]!;
    runs.signed(start - expected);
    runs.signed(step);
    runs.unsigned(count);
    expected = start + count * step;
  }
  const raw = runs.finish();
  const out = byteWriter(raw.length + 16);
  out.unsigned(RUNS);
  out.unsigned(values.length);
  out.unsigned(found.length / 3);
  out.unsigned(raw.length);
  compressInto(out, raw);
  return out.finish();
}

/** Appends the times within the range as the runs in which they are stored. @throws DamagedData */
export function decodeRunsInto(runs: Runs, range: TimeRange, bytes: Uint8Array): void {
  const source = byteReader(bytes);
  if (source.unsigned() === PLAIN) {
    for (const startMs of doublesOf(source.rest())) pushRunIn(runs, range, { startMs, stepMs: 0, count: 1 });
    return;
  }
  source.unsigned();
  const count = source.unsigned();
  const rawLength = source.unsigned();
  const stored = byteReader(decompress(source.rest(), rawLength));
  let expected = 0;
  for (let run = 0; run < count; run++) {
    const startMs = expected + stored.signed();
    const stepMs = stored.signed();
    const length = stored.unsigned();
    pushRunIn(runs, range, { startMs, stepMs: length === 1 ? 0 : stepMs, count: length });
    expected = startMs + length * stepMs;
  }
}

/** @throws DamagedData */
export function decodeRuns(bytes: Uint8Array): Float64Array {
  const source = byteReader(bytes);
  const values = new Float64Array(source.unsigned() === PLAIN ? (bytes.length - 1) / 8 : bounded(source.unsigned()));
  if (decodeRunsAt(bytes, values, 0) !== values.length) throw new DamagedData("fewer times than rows");
  return values;
}

/**
 * Decodes into `values`, beginning at index `at`.
 *
 * @returns the index after the last value
 * @throws DamagedData
 */
export function decodeRunsAt(bytes: Uint8Array, values: Float64Array, at: number): number {
  return readRuns(byteReader(bytes), bytes.length, values, at);
}

/**
 * Reads a block with the output of `encodeRuns` into `values`, beginning at index `at`.
 *
 * @returns the index after the last value
 * @throws DamagedData
 */
export function decodeRunsTo(source: ByteReader, values: Float64Array, at: number): number {
  const length = source.unsigned();
  return readRuns(source, source.at() + length, values, at);
}

function readRuns(source: ByteReader, endsAt: number, values: Float64Array, at: number): number {
  let end = at;
  if (source.unsigned() === PLAIN) {
    const plain = doublesOf(source.bytes(endsAt - source.at()));
    end += plain.length;
    if (end > values.length) throw new DamagedData("more times than rows");
    values.set(plain, at);
    return end;
  }
  end += source.unsigned();
  if (end > values.length) throw new DamagedData("more times than rows");
  const count = source.unsigned();
  const rawLength = source.unsigned();
  const runs = decompressed(source, endsAt - source.at(), rawLength);
  if (fillRuns(runs, count, values, at) !== end || source.at() !== endsAt) throw new DamagedData("incomplete times");
  return end;
}

function fillRuns(runs: ByteReader, count: number, values: Float64Array, from: number): number {
  let at = from;
  let expected = 0;
  for (let run = 0; run < count; run++) {
    let value = expected + runs.signed();
    const step = runs.signed();
    const end = at + runs.unsigned();
    if (end > values.length) throw new DamagedData("more times than rows");
    for (; at < end; at++, value += step) values[at] = value;
    expected = value;
  }
  return at;
}
