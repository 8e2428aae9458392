import type { ReactNode } from "react";
import type { Convergence } from "#shared/series/convergence.ts";
import { bridge } from "../../bridge/index.ts";
import { useConnection } from "../../stores/connection.ts";
import { jobSpecOf, readModeOf, useChosen } from "../../stores/selection.ts";
import { Button } from "../../ui/Button.tsx";
import { gapMark } from "../../plot/gapMarks.ts";
import { useCost } from "../fetch/useCost.ts";
import { fetchWords } from "../fetch/words.ts";
import { useAnswer } from "../series/useAnswer.ts";
import { convergenceWords } from "./words.ts";
import classes from "./gaps.module.css";
import { type GapLine, remedyOf } from "./list.ts";
import { lookBehind, lookBehindCost } from "./lookBehind.ts";
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

function Remedy({ connectionId, line }: Omit<GapActionsProps, "onShow" | "children">) {
  const chosen = useChosen();
  const remedy = remedyOf(line.cause);
  const whole = jobSpecOf(chosen);
  const range = { startMs: Math.floor(line.range.startMs), endMs: Math.ceil(line.range.endMs) };
  const stationIds = remedy === null ? [] : [line.stationId];
  const spec = remedy === "raw" ? lookBehind(whole, [line]).spec : { ...whole, stationIds, range };
  const cost = useCost(connectionId, spec);
  const isOffline = useConnection((s) => s.connectivity?.state === "offline");
  if (remedy === null || cost === null) return null;
  const fetch = (): void => void startBeside(connectionId, spec);
  return remedy === "fetch" ? (
    <Button onPress={fetch}>{fetchWords(cost, isOffline)}</Button>
  ) : (
    <Button onPress={fetch}>{lookBehindCost(cost, isOffline)}</Button>
  );
}

function useConvergence(connectionId: string, line: GapLine): Convergence | null {
  const { intervalSeconds, resampled } = readModeOf(useChosen());
  const input = {
    connectionId,
    stationId: line.stationId,
    gaps: [line.range],
    intervalSeconds: resampled ? null : intervalSeconds,
  };
  const isPossible = line.cause === "filteredOut" || line.cause === "nothingSent" || line.cause === "nothingOrFiltered";
  const answer = useAnswer({
    key: isPossible ? JSON.stringify(input) : null,
    family: JSON.stringify(input),
    restMs: 100,
    connectionId,
    stationIds: [line.stationId],
    ask: (signal) => bridge.availability.convergences(input, { signal }),
  });
  return answer.value?.[0] ?? null;
}
