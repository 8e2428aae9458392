import { SlidersHorizontal } from "lucide-react";
import { memo, useState } from "react";
import { REQUEST_FORBIDDEN } from "#shared/bridge/methods/jobs.ts";
import type { Estimate, JobSpec } from "#shared/job/job.ts";
import { useIsOffline } from "../../stores/connection.ts";
import { jobSpecOf, useSelection } from "../../stores/selection.ts";
import { useCommand } from "../../stores/commands.ts";
import { openDialog } from "../../stores/dialogs.ts";
import { Button, IconButton } from "../../ui/Button.tsx";
import { Explained, Switch } from "../../ui/choices.tsx";
import { DialogActions, WindowDialog, useClose, CloseButton } from "../../ui/Dialog.tsx";
import { FaultNote } from "../../ui/notes.tsx";
import { bytes, count, duration, many, utcMinutes } from "../../ui/text.ts";
import classes from "./fetch.module.css";
import { ModeControls, VariableToggles } from "./SelectionControls.tsx";
import { startFetch, useEstimate } from "./useEstimate.ts";
import { fetchWords } from "./labels.ts";

function openFetch(): void {
  openDialog({ kind: "fetch" });
}

/** The button and the dialog with options for fetching the selection, and the complete cost. */
export const FetchOptions = memo(function FetchOptions({ isEnabled }: { readonly isEnabled: boolean | string }) {
  useCommand("fetch", openFetch, isEnabled);
  return isEnabled === true ? (
    <>
      <IconButton label="Fetch options" command="fetch" onPress={openFetch} icon={SlidersHorizontal} />
      <WindowDialog kind="fetch" title="Fetch">
        {() => <FetchForm />}
      </WindowDialog>
    </>
  ) : null;
});

function FetchForm() {
  const close = useClose();
  const isOffline = useIsOffline();
  const selected = jobSpecOf(useSelection());
  const [refresh, setRefresh] = useState(false);
  const [withForbidden, setWithForbidden] = useState(false);
  const [wantsKeepUp, setKeepUp] = useState(false);
  const keepUp = wantsKeepUp && !refresh;
  const spec = refresh ? { ...selected, refresh } : selected;
  const { value: estimate, fault } = useEstimate(spec, withForbidden);
  const forbidden = estimate?.forbiddenStationIds.length ?? 0;
  const canStart = spec.stationIds.length > (withForbidden ? 0 : forbidden);
  const start = async (): Promise<void> => {
    if (await startFetch(spec, keepUp, withForbidden)) close();
  };
  return (
    <>
      <div className={classes["form"]}>
        <VariableToggles all />
        <div className={classes["group"]}>
          <ModeControls />
        </div>
      </div>
      <Cost spec={spec} estimate={estimate} />
      {fault ? <FaultNote fault={fault} /> : null}
      {forbidden > 0 || withForbidden ? (
        <Explained
          text={`The service refused access to ${many(forbidden, "station")} last time. Request them again after the key or its permissions have changed.`}
        >
          <Switch value={withForbidden} onChange={setWithForbidden}>
            {REQUEST_FORBIDDEN}
          </Switch>
        </Explained>
      ) : null}
      <Explained text="Reports by station and day how many rows were added or changed. Rows that the service no longer delivers stay. The cache keeps its data until all new data are there.">
        <Switch value={refresh} onChange={setRefresh}>
          Request everything again
        </Switch>
      </Explained>
      <Explained text="After this download, requests new data of these stations every few minutes, whatever the window shows, until you turn it off under Downloads and exports.">
        <Switch value={keepUp} isDisabled={refresh} onChange={setKeepUp}>
          Keep up to date
        </Switch>
      </Explained>
      <DialogActions>
        <CloseButton />
        <Button
          look="primary"
          autoFocus
          // Pending while counting, so that it keeps the focus.
          isPending={estimate === null && fault === null}
          isDisabled={estimate ? isComplete(estimate) && !(keepUp && canStart) : fault !== null}
          onPress={() => void start()}
        >
          {startWords(estimate, keepUp, isOffline)}
        </Button>
      </DialogActions>
    </>
  );
}

function isComplete({ pointsToFetch }: Estimate): boolean {
  return pointsToFetch === 0;
}

function startWords(estimate: Estimate | null, keepUp: boolean, isOffline: boolean): string {
  if (estimate === null) return "Fetch";
  if (!isComplete(estimate)) return fetchWords(estimate, isOffline);
  return keepUp ? "Keep up to date" : "Nothing to fetch";
}

function Cost({ spec, estimate }: { readonly spec: JobSpec; readonly estimate: Estimate | null }) {
  const forbidden = estimate?.forbiddenStationIds.length ?? 0;
  return (
    <dl className={`${classes["facts"]} grid grid-cols-[136px_1fr] gap-x-4 gap-y-1`}>
      <dt>Stations</dt>
      <dd>
        {count(spec.stationIds.length)}
        {forbidden > 0 ? `, ${count(forbidden)} of them without access` : ""}
      </dd>
      <dt>Time range</dt>
      <dd>
        {utcMinutes(spec.range.startMs)} → {utcMinutes(spec.range.endMs)} UTC
      </dd>
      {estimate ? (
        <>
          <dt>Requested</dt>
          <dd>{many(estimate.pointsRequested, "point")}</dd>
          <dt>Already known</dt>
          <dd>{many(estimate.pointsKnown, "point")}, cached or known to have no value</dd>
          <dt>To fetch</dt>
          <dd>
            {isComplete(estimate)
              ? "nothing"
              : `${many(estimate.pointsToFetch, "point")} in ${many(estimate.requests, "request")}, up to ${bytes(estimate.bodyBytes)} before compression`}
          </dd>
        </>
      ) : null}
      {estimate && !isComplete(estimate) ? (
        <>
          <dt>Time</dt>
          <dd>
            {estimate.seconds === null ? "known after the first download" : `about ${duration(estimate.seconds)}`}
          </dd>
        </>
      ) : null}
    </dl>
  );
}
