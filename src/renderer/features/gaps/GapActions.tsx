import type { ReactNode } from "react";
import type { JobSpec } from "#shared/job/job.ts";
import type { Convergence } from "#shared/series/gap.ts";
import { useConnection, useIsOffline } from "../../stores/connection.ts";
import { copyText } from "../../stores/copyText.ts";
import { jobSpecOf, readModeOf, type Selection, useSelection } from "../../stores/selection.ts";
import { selectStations, useWorkspace } from "../../stores/workspace.ts";
import { Button } from "../../ui/Button.tsx";
import { type MenuPosition, openContextMenu } from "../../ui/ContextMenu.tsx";
import { FetchButton } from "../fetch/FetchButton.tsx";
import { startFetch, useCost } from "../fetch/useEstimate.ts";
import { fetchWords } from "../fetch/labels.ts";
import { GuideLink } from "../guide/GuideLink.tsx";
import { openGuide } from "../guide/open.ts";
import { convergencesOf } from "../../ask/questions.ts";
import { useAskHere } from "../../ask/useAsk.ts";
import { convergenceWords, explained, type GapLine, remedyOf, secondText } from "./list.ts";
import { rejectedCost, rejectedFetch } from "./RejectedButton.tsx";
import classes from "./gaps.module.css";

interface GapActionsProps {
  readonly line: GapLine;
  readonly onShow: () => void;
  /** Finds the causes of all listed gaps; null if only this one has an unknown cause, or none. */
  readonly findCauses: ReactNode;
}

/** Explains the focused gap, with actions for it. */
export function GapActions({ line, onShow, findCauses }: GapActionsProps) {
  const convergence = useConvergence(line);
  return (
    <div className="row flex-wrap justify-end gap-2 min-h-11 px-3 py-2 border-t border-line">
      <p className={classes["meaning"]}>
        {explained(line)}
        {convergence ? ` ${convergenceWords(convergence)}` : ""}{" "}
        <GuideLink page="missing-data" anchor="the-causes">
          All causes
        </GuideLink>
      </p>
      {findCauses !== null && remedyOf(line.cause) === "raw" ? null : (
        // Keyed by gap, so that the button never shows the cost of the previous gap.
        <Remedy key={`${line.stationId} ${line.cause} ${line.range.startMs} ${line.range.endMs}`} line={line} />
      )}
      {findCauses}
      <Button onPress={onShow}>Show in Series</Button>
    </div>
  );
}

function Remedy({ line }: { readonly line: GapLine }) {
  const spec = remedySpec(line, useSelection());
  return <FetchButton spec={spec} words={costWords(line)} />;
}

/** Returns how the cost of the download that helps is said. */
function costWords({ cause }: GapLine): typeof fetchWords {
  return remedyOf(cause) === "raw" ? rejectedCost : fetchWords;
}

/** Returns the download that would fill a gap or find its cause; without stations if none would help. */
function remedySpec(line: GapLine, selection: Selection): JobSpec {
  const remedy = remedyOf(line.cause);
  const whole = jobSpecOf(selection);
  const range = { startMs: Math.floor(line.range.startMs), endMs: Math.ceil(line.range.endMs) };
  const stationIds = remedy === null ? [] : [line.stationId];
  return remedy === "raw" ? rejectedFetch(whole, [line]).spec : { ...whole, stationIds, range };
}

function useConvergence(line: GapLine): Convergence | null {
  const { intervalSeconds, resampled } = readModeOf(useSelection());
  const input = {
    stationId: line.stationId,
    gaps: [line.range],
    intervalSeconds: resampled ? null : intervalSeconds,
  };
  const isPossible = line.cause === "filteredOut" || line.cause === "nothingSent" || line.cause === "nothingOrFiltered";
  return useAskHere(convergencesOf, isPossible ? input : null).value?.[0] ?? null;
}

export function openGapMenu(line: GapLine, at: MenuPosition, show: () => void): void {
  const { range, name, stationId } = line;
  // Data of a file cannot be fetched.
  const isFile = useConnection.getState().current?.info.kind === "file";
  const remedy = isFile ? null : remedyOf(line.cause);
  openContextMenu({
    label: `Gap of ${name}`,
    ...at,
    entries: [
      remedy !== null && {
        id: "repair",
        label: <RemedyLabel line={line} />,
        text: remedy === "raw" ? "Find the cause" : "Fetch this gap",
        onAction: () => void startFetch(remedySpec(line, useWorkspace.getState())),
      },
      { id: "show", label: "Show in Series", onAction: show },
      { id: "only", label: `Select only ${name}`, onAction: () => selectStations([stationId]) },
      null,
      {
        id: "copy",
        label: "Copy start and end",
        onAction: () =>
          copyText(`${isoText(range.startMs)}\t${isoText(range.endMs)}`, "Start and end of the gap were copied."),
      },
      { id: "causes", label: "What the causes mean", onAction: () => openGuide("missing-data", "the-causes") },
    ],
  });
}

function isoText(ms: number): string {
  return `${secondText(ms).replace(" ", "T")}Z`;
}

/** Label with the cost once it is known. */
function RemedyLabel({ line }: { readonly line: GapLine }) {
  const cost = useCost(remedySpec(line, useSelection()));
  const isOffline = useIsOffline();
  if (cost !== null) return costWords(line)(cost, isOffline);
  return remedyOf(line.cause) === "raw" ? "Find the cause" : "Fetch this gap";
}
