import { useEffect, useRef, useState } from "react";
import type { ComparedPiece, RevisedRow, SampleCost, SamplePiece } from "#shared/bridge/methods/cache.ts";
import type { AppFault } from "#shared/fault.ts";
import { variableInfo } from "#shared/service/variables.ts";
import { bridge } from "../../bridge/index.ts";
import { sampleOf } from "../../ask/questions.ts";
import { useAsk } from "../../ask/useAsk.ts";
import { stationName, useCatalogue } from "../../stores/catalogue.ts";
import { Button } from "../../ui/Button.tsx";
import { FaultNote, Progress } from "../../ui/notes.tsx";
import { PageSection } from "../../ui/layout.tsx";
import { count, many, utc, utcMinutes } from "../../ui/text.ts";
import classes from "./storage.module.css";

/** The result of a comparison with the service, for each part of the sample. */
function ComparisonResult({ compared }: { readonly compared: readonly ComparedPiece[] }) {
  const byId = useCatalogue((s) => s.byId);
  return (
    <div className={classes["findings"]}>
      <p role="status">{verdictOf(compared)}</p>
      <ul>
        {compared.map((piece) => {
          const { stationId, variable, range, examples } = piece;
          return (
            <li key={stationId} className={classes["finding"]} data-different={examples.length > 0 || undefined}>
              <span className={classes["piece"]}>
                {stationName(byId, stationId)} · {variableInfo(variable).label} · {utcMinutes(range.startMs)} to{" "}
                {utcMinutes(range.endMs).slice(11)} UTC
              </span>
              <span>{findingOf(piece)}</span>
              {examples.map((row) => (
                <span key={row.timeMs} className={classes["example"]}>
                  {exampleText(piece, row)}
                </span>
              ))}
            </li>
          );
        })}
      </ul>
    </div>
  );
}

/** Formats as "all 720 values are the same" or "2 revised, 1 deleted; 717 the same". */
function findingOf({ same, revised, deleted, added }: ComparedPiece): string {
  const before = same + revised + deleted;
  if (revised + deleted + added === 0)
    return before === 0 ? "no data, as before" : `all ${many(before, "value")} are the same`;
  const parts = [
    revised > 0 ? `${count(revised)} revised` : null,
    deleted > 0 ? `${count(deleted)} deleted` : null,
    added > 0 ? `${count(added)} new` : null,
  ].filter((part) => part !== null);
  return `${parts.join(", ")}; ${count(same)} the same`;
}

/** Summarizes the comparison in a sentence. */
function verdictOf(compared: readonly ComparedPiece[]): string {
  if (compared.length === 0) return "The sample is no longer cached. Compare another one.";
  const different = compared.filter((c) => c.revised + c.deleted + c.added > 0);
  if (different.length === 0) return "The service still has the same values.";
  return `The service has changed values in ${count(different.length)} of ${many(compared.length, "part")} of the sample. The cache was corrected; to be sure, delete these stations and fetch them again.`;
}

/** Formats as "2026-09-01 03:00:30 UTC: 2,411.3 mm → 2,409.8 mm". */
function exampleText({ variable }: ComparedPiece, { timeMs, before, after }: RevisedRow): string {
  const { unit } = variableInfo(variable);
  const text = (value: number | string | null): string => {
    if (value === null) return "none";
    return typeof value === "number" ? `${value}${unit ? ` ${unit}` : ""}` : value.slice(0, 80);
  };
  return `${utc(timeMs)} UTC: ${text(before)} → ${text(after)}`;
}

interface Sample {
  readonly pieces: readonly SamplePiece[];
  readonly cost: SampleCost;
}

type State =
  | { readonly kind: "idle" }
  | { readonly kind: "busy"; readonly stop: AbortController }
  | { readonly kind: "done"; readonly compared: readonly ComparedPiece[] }
  | { readonly kind: "failed"; readonly fault: AppFault };

function costWords({ points, requests, mayBeMore }: SampleCost): string {
  return `${many(points, "point")} · ${mayBeMore ? "at least " : ""}${many(requests, "request")}`;
}

/** Requests a random sample of cached data again, to check whether the service still has the same values. */
export function CompareWithService({ connectionId }: { readonly connectionId: string }) {
  // Drawn again after a change, because it must not contain deleted data.
  const { value: sample, fault, again } = useAsk(sampleOf, { connectionId });
  const [state, setState] = useState<State>({ kind: "idle" });
  const isUnmounted = useRef(false);
  useEffect(() => {
    isUnmounted.current = false;
    return () => void (isUnmounted.current = true);
  }, []);

  const compare = async ({ pieces }: Sample): Promise<void> => {
    const stop = new AbortController();
    setState({ kind: "busy", stop });
    const answer = await bridge.cache.compare({ connectionId, pieces }, { signal: stop.signal });
    if (isUnmounted.current) return;
    if (answer.ok) setState({ kind: "done", compared: answer.value });
    else setState(answer.error.kind === "cancelled" ? { kind: "idle" } : { kind: "failed", fault: answer.error });
    again();
  };

  const isEmpty = sample?.pieces.length === 0;
  return (
    <PageSection title="Compare with the service">
      <div className={classes["row"]}>
        <p className={classes["text"]}>
          {isEmpty
            ? "No cached data are final yet, so there is nothing to compare."
            : "Requests a random sample of final data again and reports values that were revised or deleted. Current values replace cached ones."}
        </p>
        {state.kind === "busy" ? (
          <Button onPress={() => state.stop.abort()}>Cancel</Button>
        ) : (
          <Button isDisabled={!sample || isEmpty} onPress={() => sample && void compare(sample)}>
            {sample && !isEmpty ? `Compare ${costWords(sample.cost)}` : "Compare"}
          </Button>
        )}
      </div>
      {state.kind === "busy" ? (
        <Progress
          label="Comparing"
          share={null}
          text={`Requesting data of ${many(sample?.pieces.length ?? 0, "station")} again.`}
        />
      ) : null}
      {state.kind === "failed" ? <FaultNote fault={state.fault} /> : fault ? <FaultNote fault={fault} /> : null}
      {state.kind === "done" ? <ComparisonResult compared={state.compared} /> : null}
    </PageSection>
  );
}
