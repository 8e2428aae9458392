import { parentPort } from "node:worker_threads";
import { FormatFailure } from "../../error.ts";
import { loadHdf5, NetcdfWriter } from "../hdf5.ts";
import { type Answer, type Order, READY, type SinkCall, type Thrown } from "./messages.ts";

// The HDF5 library in a thread of its own: compressing takes longer than everything else of a file together, and the
// rows of the next chunk are read meanwhile. Orders that come while the library starts wait in the port.
const h5 = await loadHdf5();
const port = parentPort!;
const files = new Map<number, NetcdfWriter>();

port.on("message", (order: Order) => {
  const { file } = order;
  try {
    obey(order);
  } catch (thrown) {
    files.get(file)?.abandon();
    files.delete(file);
    answer({ file, kind: "failed", thrown: thrownOf(thrown) });
  }
});

port.postMessage(READY);

function obey(order: Order): void {
  const { file, kind } = order;
  if (kind === "open") {
    files.set(file, NetcdfWriter.open(h5, order.path));
    return;
  }
  const writer = files.get(file);
  // It failed, and that was told.
  if (!writer) return;
  if (kind === "call") {
    call(writer, order.call);
    if (order.call.method === "write") giveBack(file, order.call.args[3]);
    return;
  }
  if (kind === "close") writer.close();
  else writer.abandon();
  files.delete(file);
  answer({ file, kind: "closed" });
}

function call(writer: NetcdfWriter, { method, args }: SinkCall): void {
  // The types of method and arguments belong together, which the compiler cannot follow through the call.
  (writer[method] as (...args: unknown[]) => void)(...args);
}

function giveBack(file: number, data: Float64Array): void {
  const block = data.buffer as ArrayBuffer;
  answer({ file, kind: "written", block }, [block]);
}

function answer(message: Answer, moved: ArrayBuffer[] = []): void {
  port.postMessage(message, moved);
}

function thrownOf(thrown: unknown): Thrown {
  const { code } = (thrown ?? {}) as { code?: unknown };
  return {
    message: thrown instanceof Error ? thrown.message : String(thrown),
    code: typeof code === "string" ? code : null,
    kind: thrown instanceof FormatFailure ? thrown.error.kind : null,
  };
}
