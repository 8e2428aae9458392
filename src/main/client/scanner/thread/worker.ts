import { parentPort } from "node:worker_threads";
import { columnsOf } from "../blocks.ts";
import { createRowScanner, type RowScanner } from "../scanner.ts";
import type { Order, Told } from "./messages.ts";
import { createPacker, type Packer } from "./pack.ts";

// Cutting rows out of bytes and encoding them for the cache take about as long: side by side, half as long together.
interface Body {
  readonly scanner: RowScanner;
  readonly packer: Packer;
}

const bodies = new Map<number, Body>();

parentPort!.on("message", (order: Order) => {
  const { id } = order;
  if (order.kind === "open") {
    const packer = createPacker(columnsOf(order.variables));
    bodies.set(id, { packer, scanner: createRowScanner(order.variables, packer.add) });
    return;
  }
  const body = bodies.get(id);
  if (order.kind !== "bytes") bodies.delete(id);
  if (!body || order.kind === "drop") return;
  const { scanner, packer } = body;
  if (order.kind === "bytes") {
    const { memory, length, spare } = order;
    if (spare) packer.reuse(spare);
    const goesOn = scanner.push(new Uint8Array(memory, 0, length));
    tell({ kind: "scanned", id, packed: packer.take(), rows: scanner.rows(), goesOn, memory }, memory);
  } else {
    const fault = scanner.end();
    const { anomalies } = scanner;
    tell({ kind: "ended", id, packed: packer.take(), rows: scanner.rows(), fault, anomalies });
  }
});

function tell(told: Told, ...moved: ArrayBuffer[]): void {
  parentPort!.postMessage(told, [told.packed.memory, ...moved]);
}
