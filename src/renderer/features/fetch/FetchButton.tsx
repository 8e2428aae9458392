import { Download, Lock, SlidersHorizontal } from "lucide-react";
import { memo, useCallback, useDeferredValue, useState } from "react";
import type { JobViewState } from "#shared/bridge/methods/jobs.ts";
import { type Estimate, withoutStations } from "#shared/job/job.ts";
import { useConnection, useConnectionId } from "../../stores/connection.ts";
import { runCommand, useCommand } from "../../stores/commands.ts";
import { type Selection, jobSpecOf, useSelection } from "../../stores/selection.ts";
import { useWork } from "../../stores/work.ts";
import { useWorkspace } from "../../stores/workspace.ts";
import { Button, IconButton } from "../../ui/Button.tsx";
import { Hint } from "../../ui/Hint.tsx";
import classes from "./fetch.module.css";
import { FetchDialog } from "./FetchDialog.tsx";
import { startFetch } from "./startFetch.ts";
import { useEstimate } from "./useEstimate.ts";
import { cachedWords, completeWords, fetchWords, forbiddenWords } from "./words.ts";

/** Jobs in these states bring what is missing without another press. */
const WORDS: Partial<Record<JobViewState, string>> = {
  queued: "Queued",
  running: "Fetching",
  waitingForNetwork: "Waiting for the service",
};

/** What fetching the selection costs, on the button that does it. What is chosen is drawn before its cost is told. */
export function FetchButton() {
  const chosen = useDeferredValue(useSelection());
  return <FetchChosen chosen={chosen} />;
}

const FetchChosen = memo(function FetchChosen({ chosen }: { readonly chosen: Selection }) {
  const connectionId = useConnectionId();
  const spec = jobSpecOf(chosen);
  const state = useEstimate(connectionId, spec);
  const isOffline = useConnection((s) => s.connectivity?.state === "offline");
  const isFile = useConnection((s) => s.current?.info.kind === "file");
  const asked = JSON.stringify(
    state.kind === "known" ? withoutStations(spec, state.estimate.forbiddenStationIds) : spec,
  );
  const underWay = useWork(
    (s) => s.jobs.find((j) => WORDS[j.state] !== undefined && JSON.stringify(j.spec) === asked)?.state ?? null,
  );
  const [isOpen, setOpen] = useState(false);
  const close = useCallback(() => setOpen(false), []);
  useCommand("fetch", () => setOpen(true), isFile ? NOWHERE_TO_FETCH : chosen.stationIds.length > 0);

  if (chosen.stationIds.length === 0) return null;
  return (
    <>
      {state.kind === "none" ? <span className={classes["said"]}>Counting…</span> : null}
      {state.kind === "fault" ? <span className={classes["said"]}>{state.fault.message}</span> : null}
      {state.kind === "known" && !isFile ? <Forbidden estimate={state.estimate} /> : null}
      {state.kind === "known" ? (
        <Cost
          estimate={state.estimate}
          underWay={underWay}
          isOffline={isOffline}
          isFile={isFile}
          onFetch={() => void startFetch(connectionId, spec, false)}
        />
      ) : null}
      {isFile ? null : (
        <IconButton label="Fetch options" command="fetch" onPress={() => setOpen(true)}>
          <SlidersHorizontal aria-hidden />
        </IconButton>
      )}
      <FetchDialog isOpen={isOpen && !isFile} onClose={close} />
    </>
  );
});

/** Said where Fetch has nothing to do. */
export const NOWHERE_TO_FETCH = "This connection comes from a file and is read-only.";

/** Stations that were left out of the cost; the options have what can be done. */
function Forbidden({ estimate }: { readonly estimate: Estimate }) {
  const words = forbiddenWords(estimate);
  if (words === null) return null;
  return (
    <Hint text="The service refused access last time. Once the key or its permissions have changed, request it again under Fetch options.">
      <Button look="quiet" onPress={() => void runCommand("fetch")}>
        <Lock aria-hidden />
        {words}
      </Button>
    </Hint>
  );
}

interface CostProps {
  readonly estimate: Estimate;
  /** The state of a job that fetches this very selection; null where there is none. */
  readonly underWay: JobViewState | null;
  readonly isOffline: boolean;
  /** The data came in a file: there is nowhere to fetch from. */
  readonly isFile: boolean;
  readonly onFetch: () => void;
}

function Cost({ estimate, underWay, isOffline, isFile, onFetch }: CostProps) {
  const hasOwnFetch = useWorkspace((s) => s.view === "satellites");
  const isRefused = estimate.pointsAsked === 0 && estimate.forbiddenStationIds.length > 0;
  if (isRefused) return null;
  if (estimate.pointsAsked === 0) return <span className={classes["said"]}>{cachedWords(estimate)}</span>;
  if (estimate.pointsToFetch === 0) return <span className={classes["said"]}>{completeWords(estimate)}</span>;
  if (isFile) return <span className={classes["said"]}>Read only: it came in a file, {cachedWords(estimate)}</span>;
  const word = underWay && WORDS[underWay];
  // The view of satellites has a button of its own for what it lacks: one of them leads.
  const look = hasOwnFetch ? "plain" : "primary";
  if (word)
    return (
      <span className={classes["said"]}>
        {word}: {cachedWords(estimate)}
      </span>
    );
  return (
    <Button look={look} onPress={onFetch}>
      <Download aria-hidden />
      {fetchWords(estimate, isOffline)}
    </Button>
  );
}
