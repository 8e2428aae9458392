import { ChevronUp } from "lucide-react";
import { useCacheSize } from "../../ask/useAsk.ts";
import { useNewestData } from "../../ask/useNewestData.ts";
import { useCatalogue } from "../../stores/catalogue.ts";
import { useNowMs } from "../../stores/clock.ts";
import { useConnection, useIsFile, useIsOffline } from "../../stores/connection.ts";
import { useCore } from "../../stores/core.ts";
import { useWork } from "../../stores/work.ts";
import { useWorkspace } from "../../stores/workspace.ts";
import { Button } from "../../ui/Button.tsx";
import { ago, bytes, count, many, utcMinutes } from "../../ui/text.ts";
import { JOBS_BUTTON_ID } from "../jobs/JobsDrawer.tsx";
import { Notices } from "./Notices.tsx";
import { statusSentence } from "./status.ts";
import classes from "./status.module.css";

/** The status, notices, the size of the cache and the age of the data. */
export function StatusBar() {
  return (
    <footer data-region className={classes["status"]}>
      <StatusButton />
      <span className={`${classes["free"]} flex-1`} />
      <Notices />
      <CacheSize />
      <DataAge />
    </footer>
  );
}

/** What the window waits for; opens the list of downloads and exports, with the state of the network. */
function StatusButton() {
  const connectionId = useConnection((s) => s.current?.info.id);
  const connectivity = useConnection((s) => s.connectivity);
  const clocksDiffer = useConnection((s) => (s.current?.clocks ?? null) !== null);
  const lostReason = useCore((s) => s.lostReason);
  const isFile = useIsFile();
  const isRefreshing = useCatalogue((s) => s.isRefreshing);
  const jobs = useWork((s) => s.jobs).filter((job) => job.connectionId === connectionId);
  const exports = useWork((s) => s.exports).filter((task) => task.connectionId === connectionId);
  const isOpen = useWorkspace((s) => s.isDrawerOpen);
  const nowMs = useNowMs();
  const sentence = statusSentence({
    lostReason,
    isFile,
    connectivity,
    clocksDiffer,
    isRefreshing,
    jobs,
    exports,
    nowMs,
  });
  const state = lostReason !== null ? "lost" : isFile ? "file" : (connectivity?.state ?? "unknown");
  return (
    <>
      <Button
        look="quiet"
        id={JOBS_BUTTON_ID}
        aria-label={`Status: ${sentence}`}
        aria-expanded={isOpen}
        onPress={() => useWorkspace.setState({ isDrawerOpen: !isOpen })}
      >
        <span
          data-swatch
          className={`${classes["dot"]} flex-none w-2 h-2 border border-faint rounded-full`}
          data-state={state}
        />
        <span className="overflow-hidden text-ellipsis">{sentence}</span>
        <ChevronUp aria-hidden data-open={isOpen || undefined} className={classes["arrow"]} />
      </Button>
      {/* Without the progress, which would be announced all the time. */}
      <span role="status" className="visually-hidden">
        {sentence.replaceAll(/: [^·]*(?= ·|$)/g, "")}
      </span>
    </>
  );
}

function CacheSize() {
  const statistics = useCacheSize();
  if (!statistics) return null;
  const { usedBytes, rows, stations } = statistics;
  return (
    <span title={`${count(rows)} rows of ${many(stations, "station")}; see Storage`}>cache {bytes(usedBytes)}</span>
  );
}

/** The age of the newest data, at the service as far as it is known, or here; offline, the age of the catalogue. */
function DataAge() {
  const catalogue = useCatalogue((s) => s.catalogue);
  const isOffline = useIsOffline();
  const nowMs = useNowMs();
  const dataMs = useNewestData();
  const { fetchedAtMs } = catalogue;
  if (fetchedAtMs === null) return null;
  if (isOffline) return <span className="text-warn">as of {ago(fetchedAtMs, nowMs)}</span>;
  if (dataMs === null) return null;
  const age = ago(dataMs, nowMs);
  return <span title={`Newest measurement ${utcMinutes(dataMs)} UTC`}>newest data {age}</span>;
}
