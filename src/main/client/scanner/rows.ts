import type { AnomalyCounts } from "#shared/series/rows.ts";
import type { Block, Blocks, Columns } from "./blocks.ts";
import { readParsedRow } from "./generic.ts";
import { createMatcher, type Matcher } from "./match.ts";
import { shapeOf, type Template, templateFor } from "./template.ts";
import { parseTolerantly } from "./values.ts";

/**
 * Reads rows from the bytes of a buffer. The shape of a row is guessed from those that followed the same row before: a
 * station's next row, or the next station in the round. A wrong guess costs time, never a row: whatever fits no
 * guess is read by `JSON.parse`, and its shape learned.
 */
export interface RowReader {
  /** Has to be called when the buffer is replaced by a larger one. */
  use(buffer: Buffer): void;
  /** Reads the row at `at` by its guessed shape; returns where it ends, -1 where the guess is wrong or it is not whole. */
  guess(at: number): number;
  /**
   * Reads the element of `data` between the two places, of whatever shape.
   *
   * @throws where it is no valid JSON or UTF-8
   */
  read(start: number, end: number): void;
}

/** Shapes that are kept; beyond it (or when learning does not pay) new ones are read by `JSON.parse`. */
const MOST_TEMPLATES = 4_096;

export function createRowReader(columns: Columns, blocks: Blocks, anomalies: AnomalyCounts): RowReader {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const templates = new Map<string, Template>();
  let buffer: Buffer = Buffer.alloc(0);
  let matcher: Matcher | null = null;
  let last: Template | null = null;
  /** Grows with every right guess, shrinks with every shape that is looked at in vain. */
  let credit = 1_000;

  function follow(template: Template): void {
    if (last !== null && last.next !== template) {
      last.other = last.next;
      last.next = template;
    }
    last = template;
  }

  function learn(start: number, end: number, block: Block): void {
    if (credit <= 0) return;
    credit--;
    const shape = shapeOf(buffer.subarray(start, end), columns);
    if (shape === null) return;
    let template = templates.get(shape.key);
    if (template === undefined) {
      if (templates.size >= MOST_TEMPLATES) return;
      template = templateFor(shape, block);
      templates.set(shape.key, template);
    }
    follow(template);
  }

  return {
    use(larger) {
      buffer = larger;
      matcher = createMatcher(larger, blocks, anomalies);
    },
    guess(at) {
      if (last === null || matcher === null) return -1;
      const { next, other } = last;
      if (next === null) return -1;
      let end = matcher.match(next, at);
      if (end >= 0) {
        last = next;
        credit++;
      } else if (other !== null) {
        end = matcher.match(other, at);
        if (end >= 0) {
          credit++;
          follow(other);
        }
      }
      return end;
    },
    read(start, end) {
      const element = parseTolerantly(decoder.decode(buffer.subarray(start, end)));
      const block = readParsedRow(element, columns, blocks, anomalies);
      if (block !== null) learn(start, end, block);
    },
  };
}
