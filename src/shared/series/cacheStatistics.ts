export interface CacheStatistics {
  readonly fileBytes: number;
  readonly rows: number;
  readonly chunks: number;
  readonly extents: number;
  readonly stations: number;
}
