import { addAnomaly, type AnomalyCounts, type ArrivedRows } from "#shared/series/rows.ts";
import { stationIdOf } from "#shared/service/stationId.ts";
import type { Variable } from "#shared/service/variables.ts";
import { hintOfTrouble } from "../errors/hints.ts";
import { isWord, readWords, type Words } from "../errors/inside.ts";
import { columnsOf, createBlocks } from "./blocks.ts";
import { CLOSE_BRACE, CLOSE_BRACKET, COLON, COMMA, isSpace, OPEN_BRACE, OPEN_BRACKET, QUOTE } from "./bytes.ts";
import { createEndFinder } from "./ends.ts";
import { giveBack, takeKernel } from "./kernel/kernel.ts";
import { type Form, type FormVerdict, verdictOfForm } from "./forms.ts";
import type { StationOf } from "./generic.ts";
import { createRowReader, isNextRow } from "./rows.ts";
import { parseTolerantly } from "./values.ts";

/**
 * Why a body is no answer to a time series query.
 * - cutShort: it ends before its own end
 * - damaged: it began well, and then comes something that is no JSON
 * - otherShape: it is none that the service has
 * - refused: it holds an error instead of data; `detail` is its sentence
 * - unusable: it does not tell what there is (forms.ts); `detail` is what it says beside its data, or ""
 */
export interface ScanFault {
  readonly why: "cutShort" | "damaged" | Exclude<FormVerdict, "rows" | "nothing">;
  readonly detail: string;
}

/** Reads the body of a time series answer as it arrives: `{data: [row, …], count: n}`, or another form of forms.ts. */
export interface RowScanner {
  /** Takes the next bytes; they may be reused afterwards. False where nothing more is worth reading. */
  push(piece: Uint8Array): boolean;
  /** Passes the last rows to the caller. A fault means that rows passed on before must not be kept. */
  end(): ScanFault | null;
  /** Nothing more of the body will come. */
  drop(): void;
  /** Elements of `data` so far, also those that were left out. */
  rows(): number;
  /** What the body says beside its rows; once `end` has answered. */
  words(): Words;
  /** Complete once `end` has answered. */
  readonly anomalies: AnomalyCounts;
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

const FIRST_CAPACITY = 256 * 1_024;
/** No row and no other value of the body may be longer: what is, is no answer of this service. */
const LAST_CAPACITY = 16 * 1_024 * 1_024;

/** A field that nobody knows is read up to here, for what it may say. */
const LONGEST_HINT = 4_096;

/** Bytes behind the data: the first of them is zero, the others are for words that are read across its end. */
const SLACK = 64;

/**
 * @param variables the requested ones
 * @param onRows receives the rows in blocks per station; the arrays are written over as soon as it returns
 * @param stationOf under which id the rows of a station are passed to the caller
 * @param firstCapacity bytes of the buffer to begin with; it grows where a single row needs more
 */
export function createRowScanner(
  variables: Iterable<Variable>,
  onRows: (rows: ArrivedRows) => void,
  stationOf: StationOf = stationIdOf,
  firstCapacity = FIRST_CAPACITY,
): RowScanner {
  const anomalies: AnomalyCounts = {};
  const columns = columnsOf(variables);
  const kernel = takeKernel();
  const blocks = createBlocks(kernel, columns, onRows);
  const reader = createRowReader(kernel, columns, blocks, stationOf, anomalies);
  const finder = createEndFinder();
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

  // All places are addresses in the kernel's memory.
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
  let data: Form["data"] = "empty";
  let isBare = false;
  let fault: ScanFault | null = null;
  let hasFields = false;
  const kept = new Map<string, unknown>();
  let words = readWords([]);

  function fail(why: ScanFault["why"], detail: string): void {
    fault ??= { why, detail };
    state = "failed";
  }

  function unexpected(what: string): void {
    fail(data === "absent" || data === "empty" ? "otherShape" : "damaged", what);
  }

  /** Where the value at `at` ends, or -1 until more has come. */
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
    const isShort = end - at <= LONGEST_HINT;
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
    } else if (isShort || isWord(key)) kept.set(key, value);
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

  /** Rows, one after the other, as many as are at hand. */
  function takeRows(): boolean {
    for (;;) {
      if (!pending && runOn()) break;
      const end = valueEnd();
      if (end < 0) return false;
      const from = at;
      // Its end may not have been there when it was guessed.
      if (runOn()) break;
      if (at > from) continue;
      try {
        reader.read(at, end);
      } catch (error) {
        return (fail("damaged", `row ${rows}: ${String(error)}`), false);
      }
      rows++;
      at = end;
      // The two bytes between most rows; everything else is the business of the states.
      if (!isNextRow(kernel.bytes, at)) break;
      at++;
    }
    state = "afterRow";
    return true;
  }

  /** Reads rows of known shape; whether the last one is whole and no other follows at once. */
  function runOn(): boolean {
    const isBehind = reader.run(at);
    at = reader.at();
    rows += reader.takeRows();
    return isBehind;
  }

  function behindRows(): State {
    return isBare ? "end" : "afterValue";
  }

  /** One step; false where it needs more bytes, or failed. */
  function step(): boolean {
    if (state === "mark") {
      if (at >= limit || (kernel.bytes[at] === 0xef && limit - at < 3)) return false;
      // A byte order mark stands before everything else, and once.
      if (kernel.bytes[at] === 0xef && kernel.bytes[at + 1] === 0xbb && kernel.bytes[at + 2] === 0xbf) at += 3;
      state = "start";
    }
    if (!pending) while (at < limit && isSpace(kernel.bytes[at]!)) at++;
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
        state = behindRows();
        return true;
      case "row":
        return takeRows();
      case "afterValue":
      case "afterRow": {
        const close = state === "afterRow" ? CLOSE_BRACKET : CLOSE_BRACE;
        if (byte === COMMA) state = state === "afterRow" ? "row" : "key";
        else if (byte === close) state = state === "afterRow" ? behindRows() : "end";
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

  /** Makes room behind the data; false where the buffer may not grow any more. */
  function makeRoom(): boolean {
    if (limit - at === capacity) {
      if (capacity >= LAST_CAPACITY) return false;
      capacity *= 2;
      first = kernel.allocate(capacity + SLACK);
    }
    kernel.bytes.copyWithin(first, at, limit);
    limit -= at - first;
    at = first;
    return true;
  }

  /** Passes the last rows to the caller, or says why there is no answer. */
  function conclude(): void {
    if (fault !== null || isReleased) return;
    if (state !== "end" && data !== "empty") return fail("cutShort", `the body ends behind ${rows} rows`);
    words = readWords(kept);
    const hint = hintOfTrouble(kept, rows === 0);
    words = { ...words, remark: words.remark ?? hint, isUnfinished: words.isUnfinished || hint !== null };
    const verdict = verdictOfForm({ data, rows, timeless: anomalies.unreadableTime ?? 0, words }, hasFields);
    if (verdict !== "rows" && verdict !== "nothing") return fail(verdict, words.trouble ?? words.remark ?? "");
    blocks.flush();
    if (words.count !== null && words.count !== rows) addAnomaly(anomalies, "countDisagrees");
  }

  function release(): void {
    if (!isReleased) giveBack(kernel);
    isReleased = true;
  }

  return {
    push(piece) {
      if (isReleased) return false;
      for (let taken = 0; taken < piece.length && state !== "failed";) {
        if (!makeRoom()) {
          unexpected("a value of more than 16 MB");
          break;
        }
        const n = Math.min(piece.length - taken, first + capacity - limit);
        kernel.bytes.set(piece.subarray(taken, taken + n), limit);
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
    drop: release,
    rows: () => rows,
    words: () => words,
    anomalies,
  };
}
