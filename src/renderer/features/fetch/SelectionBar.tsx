import { Lock } from "lucide-react";
import { memo, useDeferredValue, useMemo } from "react";
import type { Estimate, JobSpec } from "#shared/job/job.ts";
import { runCommand } from "../../stores/commands.ts";
import { useIsFile, useIsOffline } from "../../stores/connection.ts";
import { useOneVariable } from "../../stores/oneVariable.ts";
import { jobSpecOf, useSelection, wholeOf } from "../../stores/selection.ts";
import { Button, Hint, QuietButton } from "../../ui/Button.tsx";
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
  const { value: estimate, fault } = useEstimate(spec);
  const isFile = useIsFile();
  const hasStations = spec.stationIds.length > 0;
  const said = fault?.message ?? (hasStations && estimate === null ? "Counting…" : null);
  return (
    <>
      {said === null ? null : <span className="text-quiet">{said}</span>}
      {estimate && !isFile ? <Forbidden estimate={estimate} /> : null}
      {estimate ? <Cost estimate={estimate} spec={spec} /> : null}
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
      <QuietButton label={words} onPress={() => void runCommand("fetch")} icon={Lock} />
    </Hint>
  );
}

function Cost({ estimate, spec }: { readonly estimate: Estimate; readonly spec: JobSpec }) {
  const isOffline = useIsOffline();
  const isFile = useIsFile();
  // The status bar counts the progress of jobs; a second count here would contradict it.
  const fetching = useFetching(spec, estimate);
  const isNothing = estimate.pointsRequested === 0;
  if (isNothing && estimate.forbiddenStationIds.length > 0) return null;
  const ofFile = isFile ? `Read-only, from a file: ${knownWords(estimate)}` : fetching;
  const complete = estimate.pointsToFetch === 0 ? completeWords(estimate, spec.variables) : ofFile;
  const said = isNothing ? knownWords(estimate) : complete;
  if (said !== null) return <span className="text-quiet">{said}</span>;
  const words = fetchWords(estimate, isOffline);
  return (
    <Hint text={words}>
      <Button look="primary" onPress={() => void startFetch(spec)}>
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
