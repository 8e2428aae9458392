import type { AnomalyCounts } from "#shared/series/rows.ts";
import type { Variable } from "#shared/service/variables.ts";
import type { ScanFault } from "../scanner.ts";
import type { Packed } from "./pack.ts";

/** To the thread; `id` is that of a body. Memory goes along with a message, and comes back to be used again. */
export type Order =
  | { readonly kind: "open"; readonly id: number; readonly variables: readonly Variable[] }
  | {
      readonly kind: "bytes";
      readonly id: number;
      readonly memory: ArrayBuffer;
      readonly length: number;
      /** The memory of an earlier answer's rows. */
      readonly spare: ArrayBuffer | null;
    }
  | { readonly kind: "end"; readonly id: number }
  /** The rest of the body is of no interest any more. */
  | { readonly kind: "drop"; readonly id: number };

interface Scanned {
  readonly id: number;
  /** What was read since the last answer. */
  readonly packed: Packed;
  /** As `RowScanner.rows` tells. */
  readonly rows: number;
}

/** From the thread: one answer to each "bytes" and "end" of an open body, in their order. */
export type Told =
  | (Scanned & { readonly kind: "scanned"; readonly goesOn: boolean; readonly memory: ArrayBuffer })
  | (Scanned & { readonly kind: "ended"; readonly fault: ScanFault | null; readonly anomalies: AnomalyCounts });
