import type { BoundingBox, NearestQuery, NearestRow, TimeSeriesQuery } from "#shared/service/query.ts";
import type {
  HeightReference,
  Network,
  Pagination,
  SortOrder,
  Station,
  StationSortKey,
} from "#shared/service/catalogue.ts";
import type { Result } from "#shared/service/error.ts";
import type { StationNames } from "#shared/service/stationId.ts";
import type { IrregularityCounts, ReceivedRows } from "#shared/series/rows.ts";
import type { UtcMs } from "#shared/time/utc.ts";

/** A request as the transport sends it. The transport never follows redirects and never adds or keeps cookies. */
interface TransportRequest {
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
  /** Raw bytes, still encoded by `content-encoding`. Leaving the loop early closes the connection. */
  readonly body: AsyncIterable<Uint8Array>;
}

/** The port to the network: undici under Node; Electron's network stack (system proxy) in the desktop shell. */
export type Transport = (request: TransportRequest) => Promise<TransportResponse>;

/** How a connection reaches its service, where that is not as the system says. */
export interface NetworkRoute {
  /** The address of an HTTP or SOCKS 5 proxy, or `none` for a direct connection; null: as the environment or the system says. */
  readonly proxy: string | null;
  /** A file with certificates of authorities, PEM, to trust as well; null: none. */
  readonly caFile: string | null;
}

export interface ClientOptions {
  /** Origin and path before `/api/v1`, without a trailing slash. */
  readonly baseUrl: string;
  /** Returns the key, or null. The client asks for each request, so that it uses a new key at once. */
  readonly apiKey: () => string | null;
  /** Why there is no key, as a sentence, if there is more to say than that it is missing. */
  readonly whyNoKey?: () => string | null;
  readonly transport?: Transport;
  /** How the connection reaches its service, without `transport`. */
  readonly route?: Partial<NetworkRoute>;
  /** Maximum wait for the head of a response, and between two chunks of its body. Milliseconds. */
  readonly stallMs?: number;
}

/** What every response has beside its content. */
export interface ResponseHead {
  /** The server's clock (its `Date` header); null if absent or unreadable. */
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

export interface Page<T> extends ResponseHead {
  readonly items: readonly T[];
  readonly pagination: Pagination;
}

export interface Listing<T> extends ResponseHead {
  readonly items: readonly T[];
  /** An inconsistency of the list, as a sentence for the user, or null. */
  readonly remark: string | null;
}

export interface TimeSeriesOutcome extends ResponseHead {
  /** Rows in the body, including discarded ones. */
  readonly rows: number;
  /** Bytes of the JSON body after decompression. */
  readonly bodyBytes: number;
  /** Whether the body counts more rows than it has, has an error beside them, or is an older copy. */
  readonly isPartial: boolean;
  /** Only irregularities that the scanner can detect: unreadable and converted values, a wrong count. */
  readonly irregularities: IrregularityCounts;
}

export interface TimeSeriesCallbacks {
  /**
   * Receives the rows in blocks, as they arrive; their arrays are overwritten as soon as it returns. Each has the id by
   * which its station was requested; rows of other stations have `NO_STATION`.
   */
  readonly onRows: (block: ReceivedRows) => void;
  /** Called as the body arrives: decoded bytes and rows so far. */
  readonly onProgress?: (bodyBytes: number, rows: number) => void;
  /** Data points of the query, if the caller has counted them: helps to find the limit in the text of a refusal. */
  readonly requestPoints?: number;
  /** Expected length of the body; one that is far longer is taken as endless. */
  readonly usualBytes?: number;
  /** Names by which rows may identify the requested stations; their ids alone if omitted. */
  readonly names?: readonly StationNames[];
}

/** A response to a nearest query as received: its rows are not yet compared with the query. */
export interface NearestResponse extends ResponseHead {
  /** The moments for which the parts of the response are, as they state. */
  readonly momentsMs: readonly UtcMs[];
  /** Rows of requested stations, in the order of the response. */
  readonly rows: readonly NearestRow[];
  /** Requested stations with a row without a readable time. */
  readonly timelessIds: readonly string[];
  /** Requested stations without an observation, according to the response. */
  readonly missingStationIds: readonly string[];
  /** Stations of a refused list that the response for all stations of the key lacks; by default none. */
  readonly lackedIds?: readonly string[];
  /** Rows in the body, including discarded ones. */
  readonly receivedRows: number;
  /** Rows that the body counts but does not contain. */
  readonly absentRows: number;
  readonly irregularities: IrregularityCounts;
}

/** Sends the request of each page of a list, for example again after a failure, and sees its answer; by default once. */
export type PageRequest<T> = (send: () => Promise<Result<Page<T>>>) => Promise<Result<Page<T>>>;

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
   * Returns all pages as one list, each station once, even if the catalogue changes between the pages: if totals differ
   * from page to page or a station is listed twice, all pages are fetched again, a bounded number of times.
   */
  allStations(
    filter: StationFilter,
    signal: AbortSignal,
    request?: PageRequest<Station>,
  ): Promise<Result<Listing<Station>>>;
  station(id: string, heightReference: HeightReference, signal: AbortSignal): Promise<Result<Station & ResponseHead>>;
  allNetworks(signal: AbortSignal, request?: PageRequest<Network>): Promise<Result<Listing<Network>>>;
  timeSeries(
    query: TimeSeriesQuery,
    callbacks: TimeSeriesCallbacks,
    signal: AbortSignal,
  ): Promise<Result<TimeSeriesOutcome>>;
  /** @param names names by which rows may identify the stations; their ids alone if omitted */
  nearest(query: NearestQuery, signal: AbortSignal, names?: readonly StationNames[]): Promise<Result<NearestResponse>>;
  close(): Promise<void>;
}
