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
import { startBeside } from "./startBeside.ts";

interface GapActionsProps {
  readonly connectionId: string;
  readonly line: GapLine;
  readonly onShow: () => void;
  /** What can be done about all that are listed. */
  readonly children: ReactNode;
}

/** What the chosen gap means, and what can be done about it. */
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
      {/* Of its own for every gap: a cost that is still of the last one must not stand on the button of this. */}
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
  const chosen = useSelection();
  const words = useRemedyWords(connectionId, line);
  if (words === null) return null;
  return <Button onPress={() => void startBeside(connectionId, remedySpec(line, chosen))}>{words}</Button>;
}

/** The download that would fill a gap, or tell what it is: of no station where nothing would help. */
export function remedySpec(line: GapLine, chosen: Selection): JobSpec {
  const remedy = remedyOf(line.cause);
  const whole = jobSpecOf(chosen);
  const range = { startMs: Math.floor(line.range.startMs), endMs: Math.ceil(line.range.endMs) };
  const stationIds = remedy === null ? [] : [line.stationId];
  return remedy === "raw" ? rejectedFetch(whole, [line]).spec : { ...whole, stationIds, range };
}

/** What that would cost, in words; null where nothing would help, and while it is being counted. */
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
    key: isPossible ? JSON.stringify(input) : null,
    retainFor: JSON.stringify(input),
    delayMs: 100,
    connectionId,
    stationIds: [line.stationId],
    load: (signal) => bridge.availability.convergences(input, { signal }),
  });
  return answer.value?.[0] ?? null;
}
