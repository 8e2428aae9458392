import type { Sidecar } from "#formats/sidecar.ts";

// oxlint-disable-next-line typescript/no-explicit-any -- a document of docs/files.md, read without the program's types
type Document = any;

function rangeOf({ start_time: start, end_time: end }: Document): { startMs: number; endMs: number } {
  return { startMs: Date.parse(start), endMs: Date.parse(end) };
}

/** Reads the text of a sidecar by the names of docs/files.md. */
export function readSidecar(text: string): Sidecar {
  const d: Document = JSON.parse(text);
  if (d.format !== "zenith-desk-sidecar" || d.format_version !== 1) throw new Error(`no sidecar: ${d.format}`);
  const { query: q } = d;
  return {
    run: d.run,
    files: d.files,
    createdAtMs: Date.parse(d.created),
    versions: d.versions,
    service: d.service,
    isSimulated: d.simulated,
    query: {
      stationIds: q.station_ids,
      variables: q.data_vars,
      range: rangeOf(q),
      intervalSeconds: q.interval_seconds,
      ...("time_zone" in q && { zone: q.time_zone }),
      raw: q.raw,
    },
    stations: d.stations.map((s: Document) => ({
      id: s.id,
      displayName: s.name,
      latitudeDeg: s.latitude_deg,
      longitudeDeg: s.longitude_deg,
      height: s.height_m,
      heightReference: s.height_reference,
      rows: s.rows,
      series: s.series.map((v: Document) => ({
        variable: v.data_var,
        values: v.values,
        final: v.final.map(rangeOf),
        provisional: v.provisional.map(rangeOf),
        gapCount: v.gap_count,
        gapSecondsByCause: v.gap_seconds,
        gaps: v.gaps.map((g: Document) => ({ range: rangeOf(g), cause: g.cause })),
      })),
    })),
    verdicts: d.verdicts.map((v: Document) => ({
      stationId: v.station_id,
      variable: v.data_var,
      range: rangeOf(v),
      state: v.verdict,
      rows: v.rows,
      reason: v.reason,
    })),
    ...(d.stations_not_in_catalogue && { unknownStationIds: d.stations_not_in_catalogue }),
    ...(d.how_to_open && { howToOpen: d.how_to_open }),
    ...(d.satellite_problems && { satelliteProblems: d.satellite_problems }),
  };
}
