import { addAnomaly, type AnomalyCounts, type ArrivedRows } from "#shared/series/rows.ts";
import type { Variable } from "#shared/service/variables.ts";
import { columnsOf, createBlocks } from "./blocks.ts";
import { CLOSE_BRACE, CLOSE_BRACKET, COLON, COMMA, isSpace, OPEN_BRACE, OPEN_BRACKET, QUOTE } from "./bytes.ts";
import { createEndFinder } from "./ends.ts";
import { SLACK } from "./match.ts";
import { createRowReader } from "./rows.ts";
import { parseTolerantly } from "./values.ts";

/**
 * Why a body is no answer to a time series query.
 * - cutShort: it ends before its own end
 * - damaged: it began well, and then comes something that is no JSON
 * - otherShape: it is not `{data: […]}`
 * - refused: it holds an error instead of rows, or beside them; `detail` is its sentence
 */
export interface ScanFault {
  readonly why: "cutShort" | "damaged" | "otherShape" | "refused";
  readonly detail: string;
}

/** Reads the body `{data: [row, …], count: n}` of a time series answer as it arrives, here or in a thread. */
export interface BodyScanner {
  /**
   * Takes the next bytes; they may be reused afterwards. False where nothing more is worth reading. Gives a promise where
   * the reader of the body has to wait for the scanner.
   */
  push(piece: Uint8Array): boolean | Promise<boolean>;
  /** Hands on the last rows. A fault means that rows handed on before must not be kept. */
  end(): ScanFault | null | Promise<ScanFault | null>;
  /** Nothing more of the body will come. */
  drop(): void;
  /** Elements of `data` so far, also those that were left out. */
  rows(): number;
  /** Complete once `end` has answered. */
  readonly anomalies: AnomalyCounts;
}

/** The same, here and at once. */
export interface RowScanner extends BodyScanner {
  push(piece: Uint8Array): boolean;
  end(): ScanFault | null;
}

type State =
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

/** Keys of the body whose values matter. */
const KEPT = new Set(["count", "error", "message"]);

/**
 * @param variables the requested ones
 * @param onRows receives the rows in blocks per station; the arrays are written over as soon as it returns
 * @param firstCapacity bytes of the buffer to begin with; it grows where a single row needs more
 */
export function createRowScanner(
  variables: Iterable<Variable>,
  onRows: (rows: ArrivedRows) => void,
  firstCapacity = FIRST_CAPACITY,
): RowScanner {
  const anomalies: AnomalyCounts = {};
  const columns = columnsOf(variables);
  const blocks = createBlocks(columns, onRows);
  const reader = createRowReader(columns, blocks, anomalies);
  const finder = createEndFinder();
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

  let buffer = Buffer.alloc(firstCapacity + SLACK);
  reader.use(buffer);
  let at = 0;
  let limit = 0;
  let state: State = "start";
  /** Whether `finder` is in the middle of a value whose end has not arrived. */
  let pending = false;
  let rows = 0;
  let key = "";
  let data: "absent" | "list" | "null" = "absent";
  let fault: ScanFault | null = null;
  const kept = new Map<string, unknown>();

  function fail(why: ScanFault["why"], detail: string): void {
    fault ??= { why, detail };
    state = "failed";
  }

  function unexpected(what: string): void {
    fail(data === "absent" ? "otherShape" : "damaged", what);
  }

  /** Where the value at `at` ends, or -1 until more has come. */
  function valueEnd(): number {
    if (!pending) finder.reset();
    const end = finder.find(buffer, at, limit);
    pending = end < 0;
    return end;
  }

  function takeValue(): boolean {
    if (key === "data" && buffer[at] === OPEN_BRACKET && !pending) {
      if (data !== "absent") return (fail("damaged", "two fields named data"), false);
      data = "list";
      at++;
      state = "firstRow";
      return true;
    }
    const end = valueEnd();
    if (end < 0) return false;
    let value: unknown;
    try {
      value = parseTolerantly(decoder.decode(buffer.subarray(at, end)));
    } catch (error) {
      return (unexpected(`${key}: ${String(error)}`), false);
    }
    at = end;
    if (key === "data") {
      if (value !== null || data !== "absent") return (fail("otherShape", "data is no list"), false);
      data = "null";
    } else if (KEPT.has(key)) kept.set(key, value);
    state = "afterValue";
    return true;
  }

  function takeKey(): boolean {
    if (buffer[at] !== QUOTE) return (unexpected("a key is missing"), false);
    const end = valueEnd();
    if (end < 0) return false;
    try {
      key = String(JSON.parse(decoder.decode(buffer.subarray(at, end))));
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
      let end = pending ? -1 : reader.guess(at);
      if (end < 0) {
        const whole = valueEnd();
        if (whole < 0) return false;
        end = reader.guess(at);
        if (end < 0) {
          try {
            reader.read(at, whole);
          } catch (error) {
            return (fail("damaged", `row ${rows}: ${String(error)}`), false);
          }
          end = whole;
        }
      }
      rows++;
      at = end;
      // The two bytes between most rows; everything else is the business of the states.
      if (buffer[at] !== COMMA || buffer[at + 1] !== OPEN_BRACE) break;
      at++;
    }
    state = "afterRow";
    return true;
  }

  /** One step; false where it needs more bytes, or failed. */
  function step(): boolean {
    if (state === "start" && buffer[at] === 0xef) {
      if (limit - at < 3) return false;
      if (buffer[at + 1] === 0xbb && buffer[at + 2] === 0xbf) at += 3;
    }
    if (!pending) while (at < limit && isSpace(buffer[at]!)) at++;
    if (at >= limit) return false;
    const byte = buffer[at]!;
    switch (state) {
      case "start":
        if (byte !== OPEN_BRACE) return (fail("otherShape", "no JSON object"), false);
        at++;
        state = "firstKey";
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
        state = "afterValue";
        return true;
      case "row":
        return takeRows();
      case "afterValue":
      case "afterRow": {
        const close = state === "afterRow" ? CLOSE_BRACKET : CLOSE_BRACE;
        if (byte === COMMA) state = state === "afterRow" ? "row" : "key";
        else if (byte === close) state = state === "afterRow" ? "afterValue" : "end";
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
    buffer.copyWithin(0, at, limit);
    limit -= at;
    at = 0;
    const capacity = buffer.length - SLACK;
    if (limit < capacity) return true;
    if (capacity >= LAST_CAPACITY) return false;
    const larger = Buffer.alloc(capacity * 2 + SLACK);
    buffer.copy(larger, 0, 0, limit);
    buffer = larger;
    reader.use(buffer);
    return true;
  }

  return {
    push(piece) {
      for (let taken = 0; taken < piece.length && state !== "failed";) {
        if (!makeRoom()) {
          unexpected("a value of more than 16 MB");
          break;
        }
        const n = Math.min(piece.length - taken, buffer.length - SLACK - limit);
        buffer.set(piece.subarray(taken, taken + n), limit);
        taken += n;
        limit += n;
        buffer[limit] = 0;
        while (step());
      }
      return state !== "failed";
    },
    end() {
      if (fault !== null) return fault;
      if (state !== "end") {
        fail("cutShort", `the body ends behind ${rows} rows`);
        return fault;
      }
      const said = [kept.get("error"), data === "absent" ? kept.get("message") : null];
      const sentence = said.find((text) => typeof text === "string" && text !== "");
      const count = kept.get("count");
      if (typeof sentence === "string") fail("refused", sentence);
      else if (data === "absent") fail("otherShape", "no field named data");
      else if (data === "null" && count !== 0) fail("otherShape", "data is null");
      // Taken for an answer, it would prove that there is nothing.
      else if (rows > 0 && anomalies.unreadableTime === rows) fail("otherShape", "no row has a readable time");
      else {
        blocks.flush();
        if (kept.has("count") && count !== rows) addAnomaly(anomalies, "countDisagrees");
      }
      return fault;
    },
    drop() {},
    rows: () => rows,
    anomalies,
  };
}
