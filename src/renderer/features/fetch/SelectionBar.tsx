import { Lock } from "lucide-react";
import { memo, useDeferredValue, useMemo } from "react";
import type { Estimate, JobSpec } from "#shared/job/job.ts";
import type { Variable } from "#shared/service/variables.ts";
import { runCommand } from "../../stores/commands.ts";
import { useIsFile, useIsOffline } from "../../stores/connection.ts";
import { useOneVariable } from "../../stores/oneVariable.ts";
import { jobSpecOf, useSelection, wholeOf } from "../../stores/selection.ts";
import { Button, Hint } from "../../ui/Button.tsx";
import { NoWrapParts } from "../../ui/layout.tsx";
import { FetchOptions } from "./FetchDialog.tsx";
import { IntervalCommands, ModeControls, VariableToggles } from "./SelectionControls.tsx";
import { startFetch, useEstimate, useFetching } from "./useEstimate.ts";
import { knownWords, completeWords, fetchWords, forbiddenWords } from "./labels.ts";
import classes from "./fetch.module.css";

/** Fetches what the chips show, with the cost on the button. Deferred, so that the selection is drawn before its cost. */
function DeferredFetch() {
  const selection = useDeferredValue(useSelection());
  const shown = useOneVariable((s) => s.view?.shown ?? null);
  const ofView = useOneVariable((s) => s.spec);
  const spec = useMemo(
    () => ofView ?? jobSpecOf(shown === null ? selection : { ...selection, variables: wholeOf(shown) }),
    [ofView, shown, selection],
  );
  return <FetchSelection spec={spec} />;
}

const FetchSelection = memo(function FetchSelection({ spec }: { readonly spec: JobSpec }) {
  const state = useEstimate(spec);
  const isOffline = useIsOffline();
  const isFile = useIsFile();
  const fetching = useFetching(spec, state.kind === "known" ? state.estimate : null);
  const hasStations = spec.stationIds.length > 0;
  return (
    <>
      {hasStations && state.kind === "none" ? <span className="text-quiet">Counting…</span> : null}
      {state.kind === "fault" ? <span className="text-quiet">{state.fault.message}</span> : null}
      {state.kind === "known" && !isFile ? <Forbidden estimate={state.estimate} /> : null}
      {state.kind === "known" ? (
        <Cost
          estimate={state.estimate}
          variables={spec.variables}
          fetching={fetching}
          isOffline={isOffline}
          isFile={isFile}
          onFetch={() => void startFetch(spec)}
        />
      ) : null}
      <FetchOptions isEnabled={isFile ? READ_ONLY_REASON : hasStations} />
    </>
  );
});

/** Why Fetch is unavailable for data of a file. */
export const READ_ONLY_REASON = "This connection comes from a file and is read-only.";

/** Shows the stations that are excluded from the cost, because the key has no access; a press opens the options. */
function Forbidden({ estimate }: { readonly estimate: Estimate }) {
  const words = forbiddenWords(estimate);
  if (words === null) return null;
  return (
    <Hint text="The service refused access last time. Once the key or its permissions have changed, request it again under Fetch options.">
      <Button look="quiet" onPress={() => void runCommand("fetch")} icon={Lock}>
        {words}
      </Button>
    </Hint>
  );
}

interface CostProps {
  readonly estimate: Estimate;
  readonly variables: readonly Variable[];
  /** State of a job that fetches exactly this. */
  readonly fetching: string | null;
  readonly isOffline: boolean;
  /** Whether the data are from a file and cannot be fetched. */
  readonly isFile: boolean;
  readonly onFetch: () => void;
}

function Cost({ estimate, variables, fetching, isOffline, isFile, onFetch }: CostProps) {
  const isForbidden = estimate.pointsRequested === 0 && estimate.forbiddenStationIds.length > 0;
  if (isForbidden) return null;
  if (estimate.pointsRequested === 0) return <span className="text-quiet">{knownWords(estimate)}</span>;
  if (estimate.pointsToFetch === 0) return <span className="text-quiet">{completeWords(estimate, variables)}</span>;
  if (isFile) return <span className="text-quiet">Read-only, from a file: {knownWords(estimate)}</span>;
  // The status bar counts the progress of jobs; a second count here would contradict it.
  if (fetching !== null) return <span className="text-quiet">{fetching}</span>;
  const words = fetchWords(estimate, isOffline);
  return (
    <Hint text={words}>
      <Button look="primary" onPress={onFetch}>
        <span className={classes["cost"]}>
          <NoWrapParts text={words} separator=" · " />
        </span>
      </Button>
    </Hint>
  );
}

/** The variables and mode of the selection, and the button that fetches it. */
export function SelectionBar() {
  return (
    <div className="row flex-wrap gap-2 min-h-11 px-3 py-2 border-b border-line">
      <VariableToggles />
      <ModeControls />
      <IntervalCommands />
      <span className={`${classes["state"]} row justify-end gap-1 min-w-0`}>
        <DeferredFetch />
      </span>
    </div>
  );
}
