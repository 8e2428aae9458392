import { useEffect, useRef, useState } from "react";
import { Dialog, Heading, Popover } from "react-aria-components";
import type { Estimate, JobSpec } from "#shared/job/job.ts";
import type { AppFault } from "#shared/fault.ts";
import { bridge } from "../../bridge/index.ts";
import { useConnection } from "../../stores/connection.ts";
import { Button } from "../../ui/Button.tsx";
import floating from "../../ui/floating.module.css";
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
  const anchor = useRef<HTMLSpanElement>(null);
  const { estimate, fault, start } = useGapJob(connectionId, gap, onClose, onRaw);
  const isOffline = useConnection((s) => s.connectivity?.state === "offline");
  const { range } = gap.spec;
  const isUnknown = gap.kind === "unknown";
  return (
    <>
      <span ref={anchor} className={classes["anchor"]} style={{ left: gap.clientX, top: gap.clientY }} />
      <Popover
        triggerRef={anchor}
        isOpen
        onOpenChange={(isOpen) => {
          if (!isOpen) onClose();
        }}
        placement="bottom"
        className={floating["popover"]}
      >
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
      </Popover>
    </>
  );
}

function useGapJob(connectionId: string, { kind, spec }: PressedGap, onClose: () => void, onRaw: () => void) {
  const [estimate, setEstimate] = useState<Estimate | null>(null);
  const [fault, setFault] = useState<AppFault | null>(null);
  useEffect(() => {
    const control = new AbortController();
    const load = async (): Promise<void> => {
      const answer = await bridge.jobs.estimate({ connectionId, spec }, { signal: control.signal });
      if (control.signal.aborted) return;
      if (answer.ok) setEstimate(answer.value);
      else setFault(answer.error);
    };
    void load();
    return () => control.abort();
  }, [connectionId, spec]);
  const start = async (): Promise<void> => {
    if (!(await startFetch(connectionId, spec))) return;
    if (kind === "unknown") onRaw();
    onClose();
  };
  return { estimate, fault, start };
}
