import type { ReactNode } from "react";
import type { JobSpec } from "#shared/job/job.ts";
import type { Convergence } from "#shared/series/gap.ts";
import { bridge } from "../../bridge/index.ts";
import { useConnection } from "../../stores/connection.ts";
import { type Selection, jobSpecOf, readModeOf, useSelection } from "../../stores/selection.ts";
import { Button } from "../../ui/Button.tsx";
import { gapMark } from "#shared/plot/gapMarks.ts";
import { useCost } from "../fetch/useCost.ts";
import { fetchWords } from "../fetch/words.ts";
import { useSeriesQuery } from "../series/useSeriesQuery.ts";
import { convergenceWords } from "./words.ts";
import classes from "./gaps.module.css";
import { type GapLine, remedyOf } from "./list.ts";
import { rejectedFetch, rejectedCost } from "./rejected.ts";
import { GuideLink } from "../guide/GuideLink.tsx";
import { startFetch } from "../fetch/startFetch.ts";

interface GapActionsProps {
  readonly connectionId: string;
  readonly line: GapLine;
  readonly onShow: () => void;
  /** Actions for all listed gaps. */
  readonly children: ReactNode;
}

/** Explains the focused gap, with actions for it. */
export function GapActions({ connectionId, line, onShow, children }: GapActionsProps) {
  const convergence = useConvergence(connectionId, line);
  return (
    <div className={classes["actions"]}>
      <p className={classes["meaning"]}>
        {gapMark(line.cause).meaning.replace(": press a mark to fetch exactly that", "")}
        {line.reason === undefined ? "" : ` ${line.reason}`}
        {convergence ? ` ${convergenceWords(convergence)}` : ""}{" "}
        <GuideLink page="missing-data" anchor="the-causes">
          All causes
        </GuideLink>
      </p>
      {/* Keyed by gap, so that the button never shows the cost of the previous gap. */}
      <Remedy
        key={`${line.stationId} ${line.cause} ${line.range.startMs} ${line.range.endMs}`}
        connectionId={connectionId}
        line={line}
      />
      {children}
      <Button onPress={onShow}>Show in Series</Button>
    </div>
  );
}

interface RemedyProps {
  readonly connectionId: string;
  readonly line: GapLine;
}

function Remedy({ connectionId, line }: RemedyProps) {
  const selection = useSelection();
  const words = useRemedyWords(connectionId, line);
  if (words === null) return null;
  return <Button onPress={() => void startFetch(connectionId, remedySpec(line, selection))}>{words}</Button>;
}

/** Returns the download that would fill a gap or find its cause; without stations if none would help. */
export function remedySpec(line: GapLine, selection: Selection): JobSpec {
  const remedy = remedyOf(line.cause);
  const whole = jobSpecOf(selection);
  const range = { startMs: Math.floor(line.range.startMs), endMs: Math.ceil(line.range.endMs) };
  const stationIds = remedy === null ? [] : [line.stationId];
  return remedy === "raw" ? rejectedFetch(whole, [line]).spec : { ...whole, stationIds, range };
}

/** Returns the label of that download with its cost; null if none would help, and until the cost is known. */
export function useRemedyWords(connectionId: string, line: GapLine): string | null {
  const cost = useCost(connectionId, remedySpec(line, useSelection()));
  const isOffline = useConnection((s) => s.connectivity?.state === "offline");
  const remedy = remedyOf(line.cause);
  if (remedy === null || cost === null) return null;
  return remedy === "fetch" ? fetchWords(cost, isOffline) : rejectedCost(cost, isOffline);
}

function useConvergence(connectionId: string, line: GapLine): Convergence | null {
  const { intervalSeconds, resampled } = readModeOf(useSelection());
  const input = {
    connectionId,
    stationId: line.stationId,
    gaps: [line.range],
    intervalSeconds: resampled ? null : intervalSeconds,
  };
  const isPossible = line.cause === "filteredOut" || line.cause === "nothingSent" || line.cause === "nothingOrFiltered";
  const answer = useSeriesQuery({
    input: isPossible ? input : null,
    load: bridge.availability.convergences,
    retainFor: input,
    delayMs: 100,
  });
  return answer.value?.[0] ?? null;
}
