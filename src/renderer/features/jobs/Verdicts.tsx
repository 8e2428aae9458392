import { useVirtualizer } from "@tanstack/react-virtual";
import { useRef } from "react";
import type { Job } from "#shared/bridge/methods/jobs.ts";
import type { Verdict } from "#shared/job/verdict.ts";
import { success } from "#shared/service/error.ts";
import { useAnswer } from "../../stores/answer.ts";
import { bridge } from "../../bridge/index.ts";
import { stationName, useCatalogue } from "../../stores/catalogue.ts";
import { selectStations } from "../../stores/workspace.ts";
import { Button } from "../../ui/Button.tsx";
import { FaultNote } from "../../ui/notes.tsx";
import { count } from "../../ui/text.ts";
import { rangeText } from "../range/words.ts";
import classes from "./jobs.module.css";
import { variableWords, VERDICT_WORDS } from "./words.ts";

const ROW_PX = 24;
/** Verdicts that need attention come first. */
const ORDER: Readonly<Record<Verdict["state"], number>> = {
  failed: 0,
  forbidden: 1,
  missing: 2,
  stale: 3,
  empty: 4,
  ok: 5,
};

/** The verdict of every cell of a job. */
export function Verdicts({ job, onShow }: { readonly job: Job; readonly onShow: () => void }) {
  const { value, fault } = useAnswer(
    async (options) => {
      const answer = await bridge.jobs.verdicts({ jobId: job.id }, options);
      return answer.ok ? success(answer.value.toSorted((a, b) => ORDER[a.state] - ORDER[b.state])) : answer;
    },
    [job.id, job.state],
  );
  const verdicts = value ?? [];
  const byId = useCatalogue((s) => s.byId);
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: verdicts.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 8,
  });
  const showAll = (): void => {
    selectStations(job.spec.stationIds);
    onShow();
  };
  return (
    <div className={classes["verdicts"]}>
      <div className={classes["verdictHead"]}>
        <span>{verdicts.length === 0 ? "Results appear when the download ends." : "Result for each station"}</span>
        <Button look="quiet" onPress={showAll}>
          Show these stations and this range
        </Button>
      </div>
      {fault ? <FaultNote fault={fault} /> : null}
      {verdicts.length > 0 ? (
        <div ref={scroller} className={classes["scroller"]} tabIndex={0} role="list" aria-label="Verdicts">
          <div style={{ height: rows.getTotalSize(), position: "relative" }}>
            {rows.getVirtualItems().map((row) => {
              const verdict = verdicts[row.index];
              return verdict ? (
                <div
                  key={row.key}
                  role="listitem"
                  className={classes["verdict"]}
                  data-state={verdict.state}
                  style={{ transform: `translateY(${row.start}px)` }}
                >
                  <span title={stationName(byId, verdict.stationId)}>{stationName(byId, verdict.stationId)}</span>
                  <span>{variableWords([verdict.variable])}</span>
                  <span>{rangeText(verdict.range)}</span>
                  <span className={classes["number"]}>{count(verdict.rows)} rows</span>
                  <span title={verdict.reason ?? undefined}>{verdictWords(verdict)}</span>
                </div>
              ) : null;
            })}
          </div>
        </div>
      ) : null}
    </div>
  );
}

/** The verdict with its reason, without repeating the verdict at the start of the reason. */
function verdictWords({ state, reason }: Verdict): string {
  const words = VERDICT_WORDS[state];
  if (!reason) return words;
  return reason.toLowerCase().startsWith(words) ? `${words}${reason.slice(words.length)}` : `${words}: ${reason}`;
}
