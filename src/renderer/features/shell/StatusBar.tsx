import { ChevronUp } from "lucide-react";
import { useConnectionId, useConnection } from "../../stores/connection.ts";
import { useWorkspace } from "../../stores/workspace.ts";
import { useWork } from "../../stores/work.ts";
import { Button } from "../../ui/Button.tsx";
import { bytes, count, many, ago, utcMinutes } from "../../ui/text.ts";
import { JOBS_BUTTON_ID } from "../jobs/JobsDrawer.tsx";
import { ConnectivityButton } from "./ConnectivityButton.tsx";
import { jobsSummary } from "./jobsSummary.ts";
import classes from "./status.module.css";
import { useCacheStatistics } from "../../stores/cacheQuery.ts";
import { useMemo } from "react";
import type { CatalogueStation } from "#shared/service/catalogue.ts";
import { useCatalogue } from "../../stores/catalogue.ts";
import { useNowMs } from "../../stores/clock.ts";

/** Network state, running jobs, size of the cache and age of the data. */
export function StatusBar() {
  return (
    <footer className={classes["status"]}>
      <ConnectivityButton />
      <JobsButton />
      <span className={classes["spring"]} />
      <CacheSize />
      <DataAge />
    </footer>
  );
}

function JobsButton() {
  const connectionId = useConnectionId();
  const jobs = useWork((s) => s.jobs).filter((job) => job.connectionId === connectionId);
  const exports = useWork((s) => s.exports).filter((task) => task.connectionId === connectionId);
  const isOpen = useWorkspace((s) => s.isDrawerOpen);
  const summary = jobsSummary(jobs, exports);
  const text = summary ?? "Jobs";
  return (
    <Button
      look="quiet"
      id={JOBS_BUTTON_ID}
      aria-label={summary === null ? "Jobs" : `Jobs: ${summary}`}
      aria-expanded={isOpen}
      onPress={() => useWorkspace.setState({ isDrawerOpen: !isOpen })}
    >
      <span className={classes["ellipsis"]}>{text}</span>
      <ChevronUp aria-hidden data-open={isOpen || undefined} className={classes["arrow"]} />
    </Button>
  );
}

function CacheSize() {
  const statistics = useCacheStatistics();
  if (!statistics) return null;
  const { fileBytes, rows, stations } = statistics;
  return (
    <Button
      look="quiet"
      aria-label={`Cache ${bytes(fileBytes)}, ${count(rows)} rows of ${many(stations, "station")}. Open storage`}
      onPress={() => useWorkspace.setState({ room: "storage" })}
    >
      cache {bytes(fileBytes)}
    </Button>
  );
}

/** Returns the time of the newest measurement in the catalogue, UTC milliseconds, or null. */
function newestMs(stations: readonly Pick<CatalogueStation, "dataLastUpdatedMs">[]): number | null {
  let newest: number | null = null;
  for (const { dataLastUpdatedMs: ms } of stations) if (ms !== null && (newest === null || ms > newest)) newest = ms;
  return newest;
}

/** The age of the newest data at the service; offline, the age of the catalogue. */
function DataAge() {
  const catalogue = useCatalogue((s) => s.catalogue);
  const isOffline = useConnection((s) => s.connectivity?.state === "offline");
  const nowMs = useNowMs();
  const dataMs = useMemo(() => newestMs(catalogue.stations), [catalogue]);
  const { fetchedAtMs } = catalogue;
  if (fetchedAtMs === null) return null;
  if (isOffline) return <span className={classes["late"]}>as of {ago(fetchedAtMs, nowMs)}</span>;
  if (dataMs === null) return null;
  const age = ago(dataMs, nowMs);
  const newest = age === "just now" ? "now" : age;
  return <span title={`Newest measurement ${utcMinutes(dataMs)} UTC`}>data to {newest}</span>;
}
