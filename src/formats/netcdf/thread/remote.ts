import { FormatFailure, type FormatErrorKind } from "../../error.ts";
import type { Attributes, NetcdfSink, VariableShape } from "../sink.ts";
import type { Answer, SinkCall, Thrown } from "./messages.ts";
import { type Correspondent, openInThread } from "./thread.ts";

/** Bytes that may wait for the thread: enough that it never waits, few enough that memory stays flat. */
const MOST_WAITING_BYTES = 1 << 22;

/**
 * A NetCDF-4 file that is written in a thread of its own, see `worker.ts`. What fails there is thrown by the next call
 * here, or at the end.
 */
export class RemoteWriter implements NetcdfSink, Correspondent {
  readonly #send = openInThread(this);
  /** Blocks that came back, to be filled again. */
  readonly #blocks: ArrayBuffer[] = [];
  #waitingBytes = 0;
  #failure: unknown = null;
  #isClosed = false;
  #wake: () => void = () => {};

  /** Empties the file at `path`, lets `fill` write into it, and closes it. */
  static async write<T>(path: string, fill: (file: NetcdfSink) => Promise<T>): Promise<T> {
    const file = new RemoteWriter();
    file.#send({ kind: "open", path });
    let value: T;
    try {
      value = await fill(file);
      file.#check();
    } catch (thrown) {
      await file.#end("abandon");
      throw thrown;
    }
    await file.#end("close");
    file.#check();
    return value;
  }

  globals(attributes: Attributes): void {
    this.#call({ method: "globals", args: [attributes] });
  }

  declare(name: string, size: number, unlimited = false): void {
    this.#call({ method: "declare", args: [name, size, unlimited] });
  }

  dimension(name: string, size: number): void {
    this.#call({ method: "dimension", args: [name, size] });
  }

  values(shape: VariableShape, data: Float64Array | Int32Array): void {
    this.#call({ method: "values", args: [shape, data] });
  }

  doubles(shape: VariableShape, chunks: readonly number[], storage: "deflated" | "plain" = "deflated"): void {
    this.#call({ method: "doubles", args: [shape, chunks, storage] });
  }

  chars(name: string, dimension: string, texts: readonly string[], attributes: Attributes): void {
    this.#call({ method: "chars", args: [name, dimension, texts, attributes] });
  }

  strings(shape: VariableShape, texts: string[]): void {
    this.#call({ method: "strings", args: [shape, texts] });
  }

  write(name: string, start: readonly number[], length: readonly number[], data: Float64Array): void {
    const known = this.#blocks.pop();
    const block = known && known.byteLength >= data.byteLength ? known : new ArrayBuffer(data.byteLength);
    const copy = new Float64Array(block, 0, data.length);
    copy.set(data);
    this.#waitingBytes += block.byteLength;
    this.#call({ method: "write", args: [name, start, length, copy] }, [block]);
  }

  async drained(): Promise<void> {
    while (this.#waitingBytes > MOST_WAITING_BYTES && !this.#isClosed) await this.#news();
    this.#check();
  }

  take(answer: Answer): void {
    if (answer.kind === "written") {
      this.#waitingBytes -= answer.block.byteLength;
      this.#blocks.push(answer.block);
    } else {
      if (answer.kind === "failed") this.#failure = errorOf(answer.thrown);
      this.#isClosed = true;
    }
    this.#wake();
  }

  lose(reason: unknown): void {
    this.#failure = reason;
    this.#isClosed = true;
    this.#wake();
  }

  #call(call: SinkCall, moved: ArrayBuffer[] = []): void {
    this.#check();
    this.#send({ kind: "call", call }, moved);
  }

  async #end(kind: "close" | "abandon"): Promise<void> {
    if (!this.#isClosed) this.#send({ kind });
    while (!this.#isClosed) await this.#news();
  }

  #news(): Promise<void> {
    return new Promise((resolve) => (this.#wake = resolve));
  }

  #check(): void {
    if (this.#failure !== null) throw this.#failure;
  }
}

function errorOf({ message, code, kind }: Thrown): Error {
  if (kind !== null) return new FormatFailure(kind as FormatErrorKind, message);
  return Object.assign(new Error(message), code === null ? {} : { code });
}
