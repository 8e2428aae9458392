import type { Convergence } from "#shared/series/convergence.ts";
import type { JobSpec } from "#shared/job/job.ts";
import { type Variable, variableKind } from "#shared/service/variables.ts";
import { bridge } from "../../bridge/index.ts";
import { useConnection } from "../../stores/connection.ts";
import { readModeOf, useChosen } from "../../stores/selection.ts";
import { Button } from "../../ui/Button.tsx";
import { many } from "../../ui/text.ts";
import { gapMark } from "../../plot/gapMarks.ts";
import { startFetch } from "../fetch/startFetch.ts";
import { useEstimate } from "../fetch/useEstimate.ts";
import { fetchWords } from "../fetch/words.ts";
import { useAnswer } from "../series/useAnswer.ts";
import { convergenceWords } from "./words.ts";
import classes from "./gaps.module.css";
import { type GapLine, remedyOf } from "./list.ts";

interface GapActionsProps {
  readonly connectionId: string;
  readonly line: GapLine;
  readonly onShow: () => void;
}

/** What the chosen gap means, and what can be done about it. */
export function GapActions({ connectionId, line, onShow }: GapActionsProps) {
  const convergence = useConvergence(connectionId, line);
  return (
    <div className={classes["actions"]}>
      <p className={classes["meaning"]}>
        {gapMark(line.cause).meaning.replace(": press a mark to fetch exactly that", "")}
        {convergence ? ` ${convergenceWords(convergence)}` : ""}
      </p>
      <Remedy connectionId={connectionId} line={line} />
      <Button onPress={onShow}>Show in Series</Button>
    </div>
  );
}

function Remedy({ connectionId, line }: Omit<GapActionsProps, "onShow">) {
  const chosen = useChosen();
  const remedy = remedyOf(line.cause);
  const { intervalSeconds, resampled, raw } = readModeOf(chosen);
  const spec: JobSpec = {
    stationIds: remedy === null ? [] : [line.stationId],
    variables: remedy === "raw" ? behindTheFilter(line.variable) : [line.variable],
    range: line.range,
    intervalSeconds: resampled ? null : intervalSeconds,
    raw: remedy === "raw" ? true : raw,
  };
  const state = useEstimate(connectionId, spec);
  const isOffline = useConnection((s) => s.connectivity?.state === "offline");
  if (remedy === null || state.kind !== "known") return null;
  const { estimate } = state;
  if (estimate.pointsToFetch === 0) return null;
  const fetch = (): void => void startFetch(connectionId, spec, false);
  return remedy === "fetch" ? (
    <Button onPress={fetch}>{fetchWords(estimate, isOffline)}</Button>
  ) : (
    <Button onPress={fetch}>
      Look behind the filter · {many(estimate.pointsToFetch, "point")} · {many(estimate.requests, "request")}
    </Button>
  );
}

/** The uncertainty comes along: it tells whether a solution was settling. */
function behindTheFilter(variable: Variable): readonly Variable[] {
  return variableKind(variable) === "scalar" ? [...new Set<Variable>([variable, "ztd_sigma"])] : [variable];
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
