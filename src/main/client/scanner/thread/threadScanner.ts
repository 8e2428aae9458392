import type { AnomalyCounts, ArrivedRows } from "#shared/series/rows.ts";
import type { Variable } from "#shared/service/variables.ts";
import { columnsOf } from "../blocks.ts";
import type { BodyScanner, ScanFault } from "../scanner.ts";
import type { Told } from "./messages.ts";
import { unpack } from "./pack.ts";
import { openLine } from "./thread.ts";

/** What is handed to the thread at a time: so large that handing over is nothing beside scanning. */
const BATCH_BYTES = 256 * 1_024;
/** An idle thread is given less, so that the rows of a slow answer are seen soon. */
const EAGER_BYTES = 64 * 1_024;
/** Batches that wait for the thread before the reader of the body has to. */
const MOST_WAITING = 3;

let opened = 0;

/**
 * The same as `createRowScanner`, in a thread that all bodies share; `onRows` is called here.
 *
 * @throws from `push` and `end`: whatever `onRows` threw, and `ThreadLost`
 */
export function openThreadScanner(variables: Iterable<Variable>, onRows: (rows: ArrivedRows) => void): BodyScanner {
  const id = opened++;
  const asked = [...variables];
  const columns = columnsOf(asked);
  const anomalies: AnomalyCounts = {};
  const spareBatches: ArrayBuffer[] = [];
  const spareRows: ArrayBuffer[] = [];
  let batch = new Uint8Array(0);
  let filled = 0;
  let waiting = 0;
  let rows = 0;
  let goesOn = true;
  let broken: { readonly reason: unknown } | null = null;
  let room: PromiseWithResolvers<boolean> | null = null;
  const ended = Promise.withResolvers<ScanFault | null>();
  // It may break before anyone waits for its end.
  ended.promise.catch(() => undefined);

  function onLost(reason: unknown): void {
    broken ??= { reason };
    room?.reject(broken.reason);
    ended.reject(broken.reason);
  }

  function onTold(told: Told): void {
    rows = told.rows;
    try {
      unpack(told.packed, columns, onRows);
    } catch (reason) {
      return onLost(reason);
    }
    if (told.kind === "ended") {
      Object.assign(anomalies, told.anomalies);
      return ended.resolve(told.fault);
    }
    waiting--;
    goesOn = told.goesOn;
    spareBatches.push(told.memory);
    spareRows.push(told.packed.memory);
    room?.resolve(goesOn);
    room = null;
  }

  const line = openLine(id, { onTold, onLost });
  line.send({ kind: "open", id, variables: asked }, []);

  function handOver(): void {
    const memory = batch.buffer;
    const spare = spareRows.pop() ?? null;
    line.send({ kind: "bytes", id, memory, length: filled, spare }, spare ? [memory, spare] : [memory]);
    batch = new Uint8Array(0);
    filled = 0;
    waiting++;
  }

  return {
    push(piece) {
      if (broken) throw broken.reason;
      for (let taken = 0; taken < piece.length;) {
        if (batch.length === 0) batch = new Uint8Array(spareBatches.pop() ?? new ArrayBuffer(BATCH_BYTES));
        const more = Math.min(piece.length - taken, batch.length - filled);
        batch.set(piece.subarray(taken, taken + more), filled);
        taken += more;
        filled += more;
        if (filled === batch.length) handOver();
      }
      if (waiting === 0 && filled >= EAGER_BYTES) handOver();
      if (waiting < MOST_WAITING) return goesOn;
      if (!room) {
        room = Promise.withResolvers();
        // Told again by the next call where nobody waits.
        room.promise.catch(() => undefined);
      }
      return room.promise;
    },
    end() {
      if (broken) throw broken.reason;
      if (filled > 0) handOver();
      line.send({ kind: "end", id }, []);
      return ended.promise;
    },
    drop() {
      line.send({ kind: "drop", id }, []);
      line.close();
    },
    rows: () => rows,
    anomalies,
  };
}
