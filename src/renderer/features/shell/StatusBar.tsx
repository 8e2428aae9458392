import { ChevronUp } from "lucide-react";
import { useConnectionId } from "../../stores/connection.ts";
import { useWorkspace } from "../../stores/workspace.ts";
import { useWork } from "../../stores/work.ts";
import { Button } from "../../ui/Button.tsx";
import { bytes, count, many } from "../../ui/text.ts";
import { JOBS_BUTTON_ID } from "../jobs/JobsDrawer.tsx";
import { ConnectivityButton } from "./ConnectivityButton.tsx";
import { DataAge } from "./DataAge.tsx";
import { jobsSummary } from "./jobsSummary.ts";
import classes from "./status.module.css";
import { useCacheStatistics } from "./useCacheStatistics.ts";

/** The truth at a glance: network, work under way, size and age of what is cached. */
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
