import { Satellite } from "lucide-react";
import type { Estimate, JobSpec } from "#shared/job/job.ts";
import { problemWords } from "#shared/satellites/problems.ts";
import { durationMs } from "#shared/time/range.ts";
import { useIsOffline } from "../../stores/connection.ts";
import { runCommand } from "../../stores/commands.ts";
import { useIsFetching } from "../../stores/work.ts";
import { Button, QuietButton } from "../../ui/Button.tsx";
import { EmptyState, FaultStrip, Over } from "../../ui/notes.tsx";
import { FetchButton } from "../fetch/FetchButton.tsx";
import { costWords } from "../fetch/labels.ts";
import { useCost } from "../fetch/useEstimate.ts";
import { gapsOf } from "../../ask/questions.ts";
import { useAskHere } from "../../ask/useAsk.ts";
import type { SkyQuery } from "./data/loader.ts";
import { emptyWords, lengthWords, READING } from "./labels.ts";
import classes from "./satellites.module.css";
import { useSelection, readModeOf } from "../../stores/selection.ts";
import { CHOICES } from "./choices.ts";
import { type useSky } from "./data/loader.ts";

interface NoticesProps {
  readonly asked: ReturnType<typeof useSky>;
  readonly query: SkyQuery;
}

/** Notices above the figures. */
export function Notices({ asked: { value, fault, again }, query: { range, mode } }: NoticesProps) {
  const selection = useSelection();
  const problems = value?.sky.problems ?? [];
  return (
    <>
      <div className={`${classes["notices"]} stack flex-none gap-1 px-3 py-1 text-quiet`}>
        {range.startMs > selection.range.startMs ? (
          <p>The time range is too long to show at once. The last {lengthWords(durationMs(range))} are shown.</p>
        ) : null}
        {readModeOf(selection).resampled ? (
          <p>Only ZTD and PWV can be averaged. Satellites are shown as observed.</p>
        ) : mode.intervalSeconds !== null ? (
          <p>For an interval, the service returns the satellites of its first observation, not a mean.</p>
        ) : null}
      </div>
      <Over>
        {fault ? <FaultStrip fault={fault} action={<Button onPress={again}>Try again</Button>} /> : null}
        {problems.length > 0 ? (
          <p>
            Some values could not be read: {problemWords(problems)}.
            <QuietButton label="Show as received" onPress={() => CHOICES.change({ body: "values" })} />
          </p>
        ) : null}
      </Over>
    </>
  );
}

interface EmptyNoticeProps {
  readonly query: SkyQuery;
  /** The download of what is missing. */
  readonly spec: JobSpec;
  readonly stationName: string;
  /** Whether the cache is being read, or is about to be. */
  readonly isReading: boolean;
}

/** Explains why there are no satellites, and offers a download if that would help. */
export function EmptyNotice({ query, spec, stationName, isReading }: EmptyNoticeProps) {
  const { stationId, range, mode } = query;
  const isRunning = useIsFetching([stationId], "prn");
  const isOffline = useIsOffline();
  const isMissing = useCost(spec) !== null;
  const input = {
    stationIds: [stationId],
    variables: ["prn" as const],
    range,
    mode: { ...mode, resampled: false },
    minimumMs: 0,
  };
  const gaps = useAskHere(gapsOf, input, { delayMs: 0 });
  // Shows no cause until it is known. Without a gap, newly arrived data are about to be drawn.
  const isKnown = !isReading && !gaps.isLoading && gaps.value?.some((g) => g.gaps.length > 0);
  if (isRunning)
    return (
      <EmptyState
        icon={Satellite}
        title={`Fetching satellites of ${stationName}`}
        actions={<Button onPress={() => void runCommand("jobs")}>Downloads and exports</Button>}
      >
        They appear here as they arrive.
      </EmptyState>
    );
  if (gaps.fault === null && !isKnown) return <EmptyState icon={Satellite} title={READING} />;
  const causes = new Set(gaps.value?.flatMap((g) => g.gaps.map((gap) => gap.cause)));
  const reason = gaps.value?.flatMap((g) => g.gaps).find((gap) => gap.cause === "failed")?.reason;
  const isForbidden = causes.size === 1 && causes.has("noAccess");
  return (
    <EmptyState
      icon={Satellite}
      title={
        isForbidden
          ? `The key has no access to ${stationName}`
          : causes.has("notRequested")
            ? `No satellites of ${stationName} are cached for this range`
            : `No satellites of ${stationName} in this range`
      }
      // The main button is the one of the bar above.
      actions={isForbidden ? null : <FetchButton spec={spec} words={satelliteWords} />}
    >
      {`${emptyWords(causes, reason)}${isOffline && isMissing ? " The service is unreachable. The download starts when it responds again." : ""}`}
    </EmptyState>
  );
}

function satelliteWords(cost: Estimate, isOffline: boolean): string {
  return `Fetch satellites for this range${isOffline ? " when online" : ""}: ${costWords(cost)}`;
}
