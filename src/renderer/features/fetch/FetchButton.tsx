import { Download, SlidersHorizontal } from "lucide-react";
import { useState } from "react";
import { useConnection, useConnectionId } from "../../stores/connection.ts";
import { useCommand } from "../../stores/commands.ts";
import { jobSpecOf, useChosen } from "../../stores/selection.ts";
import { useWork } from "../../stores/work.ts";
import { Button, IconButton } from "../../ui/Button.tsx";
import classes from "./fetch.module.css";
import { FetchDialog } from "./FetchDialog.tsx";
import { startFetch } from "./startFetch.ts";
import { useEstimate } from "./useEstimate.ts";
import { cachedWords, fetchWords } from "./words.ts";

/** What fetching the selection costs, on the button that does it. */
export function FetchButton() {
  const connectionId = useConnectionId();
  const chosen = useChosen();
  const spec = jobSpecOf(chosen);
  const state = useEstimate(connectionId, spec);
  const isOffline = useConnection((s) => s.connectivity?.state === "offline");
  const isRunning = useWork((s) =>
    s.jobs.some((j) => j.state === "running" && JSON.stringify(j.spec) === JSON.stringify(spec)),
  );
  const [isOpen, setOpen] = useState(false);
  useCommand("fetch", () => setOpen(true), chosen.stationIds.length > 0);

  if (chosen.stationIds.length === 0 || state.kind === "none") return null;
  const dialog = <FetchDialog isOpen={isOpen} onClose={() => setOpen(false)} />;
  const options = (
    <IconButton label="Fetch options" onPress={() => setOpen(true)}>
      <SlidersHorizontal aria-hidden />
    </IconButton>
  );
  if (state.kind === "fault")
    return (
      <>
        <span className={classes["said"]}>{state.fault.message}</span>
        {dialog}
      </>
    );
  const { estimate } = state;
  if (estimate.pointsToFetch === 0)
    return (
      <>
        <span className={classes["said"]}>
          {estimate.pointsAsked === 0 ? cachedWords(estimate) : "All of this is cached"}
        </span>
        {options}
        {dialog}
      </>
    );
  return (
    <>
      {isRunning ? (
        <span className={classes["said"]}>Fetching: {cachedWords(estimate)}</span>
      ) : (
        <Button look="primary" onPress={() => void startFetch(connectionId, spec, false)}>
          <Download aria-hidden />
          {fetchWords(estimate, isOffline)}
        </Button>
      )}
      {options}
      {dialog}
    </>
  );
}
