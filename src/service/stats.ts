import type { TimeSeriesQuery } from "#shared/service/query.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import type { FaultKind } from "./faults/types.ts";
import type { Endpoint } from "./http/route.ts";

/** One request as the service saw it. The key is no part of it, only whose it is. */
export interface RequestRecord {
  readonly method: string;
  /** With its query string. */
  readonly path: string;
  readonly endpoint: Endpoint | null;
  /** By the service's clock. */
  readonly atMs: UtcMs;
  organization: string | null;
  /** 0 while no answer has begun, and for ever where none did. */
  status: number;
  /** Size of a time series by section 8. */
  points: number | null;
  query: TimeSeriesQuery | null;
  rows: number;
  /** On the wire, head included; known when the answer has left. */
  bytes: number;
  faults: readonly FaultKind[];
  /** Whether the connection was gone before the answer was complete. */
  isAborted: boolean;
}

export interface ServiceStats {
  readonly requests: number;
  readonly rows: number;
  readonly bytes: number;
  readonly aborted: number;
  /** 429 answers that were not faults. */
  readonly putOff: number;
  readonly underWay: number;
  readonly byStatus: Readonly<Record<number, number>>;
  /**
   * Requests in the order of their arrival; beyond the length that is set the oldest are forgotten. Status, rows and points of an
   * answer stand here before its last byte is sent, so that a client that has read it finds them.
   */
  readonly log: readonly Readonly<RequestRecord>[];
}

const LOG_LENGTH = 100_000;

/** Counts what the service does. */
export class Recorder implements ServiceStats {
  requests = 0;
  rows = 0;
  bytes = 0;
  aborted = 0;
  putOff = 0;
  underWay = 0;
  byStatus: Record<number, number> = {};
  log: RequestRecord[] = [];
  readonly #logLength: number;

  constructor(logLength = LOG_LENGTH) {
    this.#logLength = logLength;
  }

  begin(record: Pick<RequestRecord, "method" | "path" | "endpoint" | "atMs">): RequestRecord {
    this.requests++;
    this.underWay++;
    const begun: RequestRecord = {
      ...record,
      organization: null,
      status: 0,
      points: null,
      query: null,
      rows: 0,
      bytes: 0,
      faults: [],
      isAborted: false,
    };
    this.log.push(begun);
    if (this.log.length > this.#logLength) this.log.splice(0, Math.ceil(this.#logLength / 10) || 1);
    return begun;
  }

  /** The answer is made; some of it may still be on its way. */
  answered(record: RequestRecord): void {
    this.underWay--;
    this.rows += record.rows;
    this.byStatus[record.status] = (this.byStatus[record.status] ?? 0) + 1;
  }

  /** The answer has left, or no one waits for it any more. */
  closed(record: RequestRecord): void {
    this.bytes += record.bytes;
    if (record.isAborted) this.aborted++;
  }

  /** Forgets everything but the requests under way. */
  reset(): void {
    this.requests = 0;
    this.rows = 0;
    this.bytes = 0;
    this.aborted = 0;
    this.putOff = 0;
    this.byStatus = {};
    this.log = [];
  }
}
