import type { NearestAnswer } from "#shared/service/nearest.ts";
import type {
  HeightReference,
  Network,
  Pagination,
  SortOrder,
  Station,
  StationSortKey,
} from "#shared/service/catalogue.ts";
import type { Result } from "#shared/service/error.ts";
import type { BoundingBox, NearestQuery, TimeSeriesQuery } from "#shared/service/query.ts";
import type { StationNames } from "#shared/service/stationId.ts";
import type { AnomalyCounts, ArrivedRows } from "#shared/series/rows.ts";
import type { UtcMs } from "#shared/time/utc.ts";

/** A request as the transport sends it. The transport never follows redirects and never adds or keeps cookies. */
export interface TransportRequest {
  readonly method: "GET" | "POST";
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly signal: AbortSignal;
}

export interface TransportResponse {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** Raw bytes as they come, still encoded as `content-encoding` says. Leaving the loop early closes the connection. */
  readonly body: AsyncIterable<Uint8Array>;
}

/** The port to the network: undici under Node; Electron's network stack (system proxy) in the desktop shell. */
export type Transport = (request: TransportRequest) => Promise<TransportResponse>;

export interface ClientOptions {
  /** Origin and path before `/api/v1`, without a trailing slash. */
  readonly baseUrl: string;
  /** Asked for each request, so that a key that is replaced is used at once; null where there is none. */
  readonly apiKey: () => string | null;
  /** Why there is none, in a sentence, where more is to be said than that it is missing. */
  readonly whyNoKey?: () => string | null;
  readonly transport?: Transport;
  /** Longest wait for the answer's head, and between two pieces of its body. Milliseconds. */
  readonly stallMs?: number;
}

/** What every answer tells beside its content. */
export interface AnswerHead {
  /** The server's clock (its `Date` header), null where absent or unreadable. */
  readonly serverTimeMs: UtcMs | null;
}

export interface StationFilter {
  readonly countryCodes?: readonly string[];
  readonly networkIds?: readonly string[];
  readonly search?: string;
  readonly bbox?: BoundingBox;
  readonly heightReference?: HeightReference;
  readonly sortBy?: StationSortKey;
  readonly sortOrder?: SortOrder;
}

export interface Page<T> extends AnswerHead {
  readonly items: readonly T[];
  readonly pagination: Pagination;
}

export interface Listing<T> extends AnswerHead {
  readonly items: readonly T[];
  /** What does not add up about the list, as a sentence for the user; null where all does. */
  readonly remark: string | null;
}

export interface TimeSeriesOutcome extends AnswerHead {
  /** Rows in the body, including discarded ones. */
  readonly rows: number;
  /** Bytes of the JSON body after decompression. */
  readonly bodyBytes: number;
  /** How many rows the body says to hold; null where it does not say. */
  readonly claimedRows: number | null;
  /** The same by the field `count` of the specification alone. */
  readonly statedRows: number | null;
  /** The body says that there is more than it holds. */
  readonly isUnfinished: boolean;
  /** Only what the reader of the body can see: unreadable and converted values, a wrong count. */
  readonly anomalies: AnomalyCounts;
}

export interface TimeSeriesCallbacks {
  /**
   * Receives the rows in blocks, as they arrive; their arrays are written over as soon as it returns. Each has the id by
   * which its station was asked; rows that belong to none of these have `NOBODY`.
   */
  readonly onRows: (block: ArrivedRows) => void;
  /** Called as the body arrives: decoded bytes and rows so far. */
  readonly onProgress?: (bodyBytes: number, rows: number) => void;
  /** Data points of the query, where the caller has counted them: helps to read the limit out of a refusal. */
  readonly requestPoints?: number;
  /** About how long the body is; one that goes on far beyond that has no end. */
  readonly usualBytes?: number;
  /** By what names rows may call the asked stations; their ids alone where it is left out. */
  readonly names?: readonly StationNames[];
}

/** One typed function per endpoint; nothing else knows HTTP. None throws: every failure is a `ServiceError`. */
export interface ServiceClient {
  readonly origin: string;
  stationsPage(
    filter: StationFilter,
    page: number,
    pageSize: number,
    signal: AbortSignal,
  ): Promise<Result<Page<Station>>>;
  /**
   * All pages as one list, each station once, also when the catalogue changes between the pages: when totals differ
   * from page to page or a station appears twice, the walk starts over, a bounded number of times.
   */
  allStations(filter: StationFilter, signal: AbortSignal): Promise<Result<Listing<Station>>>;
  station(id: string, heightReference: HeightReference, signal: AbortSignal): Promise<Result<Station & AnswerHead>>;
  allNetworks(signal: AbortSignal): Promise<Result<Listing<Network>>>;
  timeSeries(
    query: TimeSeriesQuery,
    callbacks: TimeSeriesCallbacks,
    signal: AbortSignal,
  ): Promise<Result<TimeSeriesOutcome>>;
  nearest(query: NearestQuery, signal: AbortSignal): Promise<Result<NearestAnswer>>;
  close(): Promise<void>;
}
