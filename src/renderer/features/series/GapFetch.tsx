import { Dialog, Heading } from "react-aria-components";
import type { JobSpec } from "#shared/job/job.ts";
import { useIsOffline } from "../../stores/connection.ts";
import { PopoverAt } from "../../ui/PopoverAt.tsx";
import { useAnswer } from "../../stores/answer.ts";
import { bridge } from "../../bridge/index.ts";
import { Button } from "../../ui/Button.tsx";
import { FaultNote } from "../../ui/notes.tsx";
import { utcMinutes } from "../../ui/text.ts";
import { startFetch } from "../fetch/startFetch.ts";
import { cachedWords, fetchWords } from "../fetch/words.ts";
import { rejectedCost } from "../gaps/RejectedButton.tsx";
import classes from "./series.module.css";

/** A gap that the user pressed, with the download that would fill it or find its cause. */
export interface PressedGap {
  readonly kind: "notAsked" | "unknown";
  readonly spec: JobSpec;
  /** Name or number of the stations. */
  readonly who: string;
  readonly clientX: number;
  readonly clientY: number;
}

interface GapFetchProps {
  readonly connectionId: string;
  readonly gap: PressedGap;
  readonly onClose: () => void;
  /** Called when a download of raw rows has started. */
  readonly onRaw: () => void;
}

/** A popover with a gap, the cost of its download and a button that starts it. */
export function GapFetch({ connectionId, gap, onClose, onRaw }: GapFetchProps) {
  const answer = useAnswer(
    (options) => bridge.jobs.estimate({ connectionId, spec: gap.spec }, options),
    [connectionId, gap.spec],
  );
  const { value: estimate, fault } = answer;
  const start = async (): Promise<void> => {
    if (!(await startFetch(connectionId, gap.spec))) return;
    if (gap.kind === "unknown") onRaw();
    onClose();
  };
  const isOffline = useIsOffline();
  const { range } = gap.spec;
  const isUnknown = gap.kind === "unknown";
  return (
    <PopoverAt x={gap.clientX} y={gap.clientY} onClose={onClose} placement="bottom">
      <Dialog className={classes["form"]}>
        <Heading slot="title">{isUnknown ? "Nothing sent, or filtered out" : "Not downloaded"}</Heading>
        <p>
          {gap.who}
          <br />
          {utcMinutes(range.startMs)} → {utcMinutes(range.endMs)} UTC
        </p>
        {fault ? <FaultNote fault={fault} /> : null}
        <p className={classes["quiet"]}>
          {isUnknown ? "Raw data of this period show which." : null}
          {isUnknown || !estimate ? null : cachedWords(estimate)}
          {estimate ? null : " Counting …"}
        </p>
        <div className={classes["formActions"]}>
          <Button onPress={onClose}>Cancel</Button>
          <Button look="primary" autoFocus onPress={() => void start()}>
            {estimate && !isUnknown ? fetchWords(estimate, isOffline) : null}
            {estimate && isUnknown ? rejectedCost(estimate, isOffline) : null}
            {estimate ? null : isUnknown ? "Show rejected data" : "Fetch this gap"}
          </Button>
        </div>
      </Dialog>
    </PopoverAt>
  );
}
