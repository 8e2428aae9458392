import { addIrregularity, type IrregularityCounts, type ReceivedRows } from "#shared/series/rows.ts";
import { stationIdOf } from "#shared/service/stationId.ts";
import type { Variable } from "#shared/service/variables.ts";
import { type BodyReport, errorSentence, readBodyReport } from "../errors/bodyReport.ts";
import { columnsFor, createBlocks } from "./blocks.ts";
import {
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  createEndFinder,
  isSpace,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
} from "./bytes.ts";
import { releaseKernel, acquireKernel } from "./kernel/kernel.ts";
import { type BodyForm, type BodyVerdict, classifyBody } from "./bodyForms.ts";
import { createRowReader, isNextRow, type StationOf } from "./rowReader.ts";
import { parseTolerantly } from "./values.ts";

/**
 * Why a body is not a response to a time series query.
 * - cutShort: it is truncated
 * - damaged: it begins as expected, followed by something that is not JSON
 * - otherShape: the service has no responses of this shape
 * - refused: it has an error instead of data; `detail` is its sentence
 * - unusable: it has no readable data (bodyForms.ts); `detail` is ""
 */
export interface ScanFault {
  readonly why: "cutShort" | "damaged" | Exclude<BodyVerdict, "data">;
  readonly detail: string;
}

/** Reads the body of a time series response as it arrives: `{data: [row, …], count: n}`, or another form of bodyForms.ts. */
export interface RowScanner {
  /** Reads the next bytes, which may be reused afterwards. Returns false if the rest need not be read. */
  push(chunk: Uint8Array): boolean;
  /** Passes the last rows to the caller. After a fault, the rows passed before must be discarded. */
  end(): ScanFault | null;
  /** Releases the kernel; to be called in every case. */
  release(): void;
  /** Elements of `data` so far, including discarded ones. */
  rows(): number;
  /** The fields of the body beside its rows; complete after `end`. */
  report(): BodyReport;
  /** Complete after `end`. */
  readonly irregularities: IrregularityCounts;
}

type State =
  | "mark"
  | "start"
  | "firstKey"
  | "key"
  | "colon"
  | "value"
  | "afterValue"
  | "firstRow"
  | "row"
  | "afterRow"
  | "end"
  | "failed";

const INITIAL_CAPACITY = 256 * 1_024;
/** Maximum length of a row or another value; no response of this service has a longer one. */
const MAX_CAPACITY = 16 * 1_024 * 1_024;

/** Longer values beside the rows are ignored. */
const MAX_FIELD_BYTES = 65_536;

/** Bytes after the data: the first one is zero, the others are for words read across its end. */
const SLACK = 64;

/**
 * @param variables the requested variables
 * @param onRows receives the rows in blocks per station; the arrays are overwritten as soon as it returns
 * @param stationOf returns the id under which a row is passed to the caller
 * @param firstCapacity initial size of the buffer in bytes; it grows if a single row needs more
 */
export function createRowScanner(
  variables: Iterable<Variable>,
  onRows: (rows: ReceivedRows) => void,
  stationOf: StationOf = stationIdOf,
  firstCapacity = INITIAL_CAPACITY,
): RowScanner {
  const irregularities: IrregularityCounts = {};
  const columns = columnsFor(variables);
  const kernel = acquireKernel();
  const blocks = createBlocks(kernel, columns, onRows);
  const reader = createRowReader(kernel, { columns, blocks, stationOf, irregularities });
  const finder = createEndFinder();
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

  // All positions are addresses in the kernel's memory.
  let capacity = firstCapacity;
  let first = kernel.allocate(capacity + SLACK);
  let at = first;
  let limit = first;
  let state: State = "mark";
  /** Whether `finder` is in the middle of a value whose end has not arrived. */
  let pending = false;
  let isReleased = false;
  let rows = 0;
  let key = "";
  let data: BodyForm["data"] = "empty";
  let isBare = false;
  let fault: ScanFault | null = null;
  let hasFields = false;
  const fields: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  let report = readBodyReport({});

  function fail(why: ScanFault["why"], detail: string): void {
    fault ??= { why, detail };
    state = "failed";
  }

  function unexpected(what: string): void {
    fail(data === "absent" || data === "empty" ? "otherShape" : "damaged", what);
  }

  /** The end of the value at `at`; -1 until more has arrived. */
  function valueEnd(): number {
    if (!pending) finder.reset();
    const end = finder.find(kernel.bytes, at, limit);
    pending = end < 0;
    return end;
  }

  function takeValue(): boolean {
    if (key === "data" && kernel.bytes[at] === OPEN_BRACKET && !pending) {
      if (data !== "absent") return (fail("damaged", "two fields named data"), false);
      data = "list";
      at++;
      state = "firstRow";
      return true;
    }
    const end = valueEnd();
    if (end < 0) return false;
    const isShort = end - at <= MAX_FIELD_BYTES;
    let value: unknown;
    try {
      value = parseTolerantly(decoder.decode(kernel.bytes.subarray(at, end)));
    } catch (error) {
      return (unexpected(`${key}: ${String(error)}`), false);
    }
    at = end;
    hasFields = true;
    if (key === "data") {
      if (data !== "absent") return (fail("damaged", "two fields named data"), false);
      data = value === null ? "null" : "other";
    } else if (isShort) fields[key] = value;
    state = "afterValue";
    return true;
  }

  function takeKey(): boolean {
    if (kernel.bytes[at] !== QUOTE) return (unexpected("a key is missing"), false);
    const end = valueEnd();
    if (end < 0) return false;
    try {
      key = String(JSON.parse(decoder.decode(kernel.bytes.subarray(at, end))));
    } catch (error) {
      return (unexpected(String(error)), false);
    }
    at = end;
    state = "colon";
    return true;
  }

  /** Reads all rows that have arrived. */
  function takeRows(): boolean {
    for (;;) {
      if (!pending && readKnownRows()) break;
      const end = valueEnd();
      if (end < 0) return false;
      const from = at;
      // Its end may not have arrived at the first attempt.
      if (readKnownRows()) break;
      if (at > from) continue;
      try {
        reader.read(at, end);
      } catch (error) {
        return (fail("damaged", `row ${rows}: ${String(error)}`), false);
      }
      rows++;
      at = end;
      // The two bytes between most rows; everything else is handled by the states.
      if (!isNextRow(kernel.bytes, at)) break;
      at++;
    }
    state = "afterRow";
    return true;
  }

  /** Reads rows of known shape; returns whether the last one is complete and no other follows directly. */
  function readKnownRows(): boolean {
    const isBehind = reader.run(at);
    at = reader.at();
    rows += reader.takeRowCount();
    return isBehind;
  }

  function stateAfterRows(): State {
    return isBare ? "end" : "afterValue";
  }

  /** Takes one step; returns false if it needs more bytes, or failed. */
  function step(): boolean {
    if (state === "mark") {
      if (at >= limit || (kernel.bytes[at] === 0xef && limit - at < 3)) return false;
      // A byte order mark is allowed once, at the beginning.
      if (kernel.bytes[at] === 0xef && kernel.bytes[at + 1] === 0xbb && kernel.bytes[at + 2] === 0xbf) at += 3;
      state = "start";
    }
    if (!pending) while (at < limit && isSpace(kernel.bytes[at])) at++;
    if (at >= limit) return false;
    const byte = kernel.bytes[at]!;
    switch (state) {
      case "start":
        isBare = byte === OPEN_BRACKET;
        if (byte !== OPEN_BRACE && !isBare) return (fail("otherShape", "no JSON object"), false);
        data = isBare ? "list" : "absent";
        at++;
        state = isBare ? "firstRow" : "firstKey";
        return true;
      case "firstKey":
        if (byte !== CLOSE_BRACE) return takeKey();
        at++;
        state = "end";
        return true;
      case "key":
        return takeKey();
      case "colon":
        if (byte !== COLON) return (unexpected("a colon is missing"), false);
        at++;
        state = "value";
        return true;
      case "value":
        return takeValue();
      case "firstRow":
        if (byte !== CLOSE_BRACKET) return takeRows();
        at++;
        state = stateAfterRows();
        return true;
      case "row":
        return takeRows();
      case "afterValue":
      case "afterRow": {
        const close = state === "afterRow" ? CLOSE_BRACKET : CLOSE_BRACE;
        if (byte === COMMA) state = state === "afterRow" ? "row" : "key";
        else if (byte === close) state = state === "afterRow" ? stateAfterRows() : "end";
        else return (unexpected(`row ${rows}: no comma`), false);
        at++;
        return true;
      }
      case "end":
        return (unexpected("something behind the end"), false);
      case "failed":
        return false;
    }
  }

  /** Makes room after the data; returns false if the buffer has its maximum size. */
  function makeRoom(): boolean {
    if (limit - at === capacity) {
      if (capacity >= MAX_CAPACITY) return false;
      capacity *= 2;
      first = kernel.allocate(capacity + SLACK);
    }
    kernel.bytes.copyWithin(first, at, limit);
    limit -= at - first;
    at = first;
    return true;
  }

  /** Passes the last rows to the caller, or sets the fault. */
  function conclude(): void {
    if (fault !== null || isReleased) return;
    if (state !== "end" && data !== "empty") return fail("cutShort", `the body ends after ${rows} rows`);
    report = readBodyReport(fields);
    const refusal = report.error ?? errorSentence(fields);
    const timeless = irregularities.unreadableTime ?? 0;
    const verdict = classifyBody({ data, rows, timeless, report, refusal, hasFields });
    if (verdict !== "data") return fail(verdict, verdict === "refused" ? (refusal ?? "") : "");
    blocks.flush();
    if (report.count !== null && report.count !== rows) addIrregularity(irregularities, "countDisagrees");
  }

  function release(): void {
    if (!isReleased) releaseKernel(kernel);
    isReleased = true;
  }

  return {
    push(chunk) {
      if (isReleased) return false;
      for (let taken = 0; taken < chunk.length && state !== "failed";) {
        if (!makeRoom()) {
          unexpected("a value of more than 16 MB");
          break;
        }
        const n = Math.min(chunk.length - taken, first + capacity - limit);
        kernel.bytes.set(chunk.subarray(taken, taken + n), limit);
        taken += n;
        limit += n;
        kernel.bytes[limit] = 0;
        while (step());
      }
      return state !== "failed";
    },
    end() {
      conclude();
      release();
      return fault;
    },
    release,
    rows: () => rows,
    report: () => report,
    irregularities,
  };
}
