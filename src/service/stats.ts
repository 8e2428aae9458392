import type { TimeSeriesQuery } from "#shared/service/query.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import type { FaultKind } from "./faults/faults.ts";
import type { Endpoint } from "./http/route.ts";

/** One request as the service saw it, with the organization but not its key. */
export interface RequestRecord {
  readonly method: string;
  /** With its query string. */
  readonly path: string;
  readonly endpoint: Endpoint | null;
  /** By the service's clock. */
  readonly atMs: UtcMs;
  organization: string | null;
  /** 0 until a response has begun, if it ever does. */
  status: number;
  /** Size of a time series by section 8. */
  points: number | null;
  query: TimeSeriesQuery | null;
  rows: number;
  /** On the wire, including the head; known once the response was sent. */
  bytes: number;
  faults: readonly FaultKind[];
  /** Whether the connection closed before the response was complete. */
  isAborted: boolean;
}

export interface ServiceStats {
  readonly requests: number;
  readonly rows: number;
  readonly bytes: number;
  readonly aborted: number;
  /** 429 responses that were not faults. */
  readonly putOff: number;
  readonly underWay: number;
  readonly byStatus: Readonly<Record<number, number>>;
  /**
   * Requests in the order of their arrival; beyond the maximum the oldest are forgotten. Status, rows and points of a
   * response are recorded before its last byte is sent, so that a client that has read it finds them.
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

  /** The response is complete; some of it may still have to be sent. */
  answered(record: RequestRecord): void {
    this.underWay--;
    this.rows += record.rows;
    this.byStatus[record.status] = (this.byStatus[record.status] ?? 0) + 1;
  }

  /** The response was sent, or the client has disconnected. */
  closed(record: RequestRecord): void {
    this.bytes += record.bytes;
    if (record.isAborted) this.aborted++;
  }

  /** Forgets everything but the active requests. */
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
