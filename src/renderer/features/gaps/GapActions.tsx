import type { Convergence } from "#shared/series/convergence.ts";
import type { JobSpec } from "#shared/job/job.ts";
import type { Variable } from "#shared/service/variables.ts";
import { bridge } from "../../bridge/index.ts";
import { useConnection } from "../../stores/connection.ts";
import { jobSpecOf, readModeOf, useChosen } from "../../stores/selection.ts";
import { showFault } from "../../stores/toasts.ts";
import { Button } from "../../ui/Button.tsx";
import { many } from "../../ui/text.ts";
import { gapMark } from "../../plot/gapMarks.ts";
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
      {/* Of its own for every gap: a cost that is still of the last one must not stand on the button of this. */}
      <Remedy
        key={`${line.stationId} ${line.cause} ${line.range.startMs} ${line.range.endMs}`}
        connectionId={connectionId}
        line={line}
      />
      <Button onPress={onShow}>Show in Series</Button>
    </div>
  );
}

function Remedy({ connectionId, line }: Omit<GapActionsProps, "onShow">) {
  const chosen = useChosen();
  const remedy = remedyOf(line.cause);
  const whole = jobSpecOf(chosen);
  // More variables cost nothing: so all that is shown comes, and the uncertainty, which tells whether a solution settled.
  const variables = remedy === "raw" ? [...new Set<Variable>([...whole.variables, "ztd_sigma"])] : whole.variables;
  const spec: JobSpec = {
    ...whole,
    variables,
    stationIds: remedy === null ? [] : [line.stationId],
    range: { startMs: Math.floor(line.range.startMs), endMs: Math.ceil(line.range.endMs) },
    raw: remedy === "raw" || whole.raw,
  };
  const state = useEstimate(connectionId, spec);
  const isOffline = useConnection((s) => s.connectivity?.state === "offline");
  if (remedy === null || state.kind !== "known") return null;
  const { estimate } = state;
  if (estimate.pointsToFetch === 0) return null;
  const fetch = (): void => void startBeside(connectionId, spec);
  return remedy === "fetch" ? (
    <Button onPress={fetch}>{fetchWords(estimate, isOffline)}</Button>
  ) : (
    <Button onPress={fetch}>
      Look behind the filter · {many(estimate.pointsToFetch, "point")} · {many(estimate.requests, "request")}
    </Button>
  );
}

/** Starts a download that is over before a look at it; the list itself tells what came of it. */
async function startBeside(connectionId: string, spec: JobSpec): Promise<void> {
  const answer = await bridge.jobs.start({ connectionId, spec, keepUp: false });
  if (!answer.ok) showFault(answer.error);
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
