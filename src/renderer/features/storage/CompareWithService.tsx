import { useCallback, useEffect, useRef, useState } from "react";
import type { ComparedPiece, SampleCost, SamplePiece } from "#shared/bridge/methods/cache.ts";
import type { AppFault } from "#shared/fault.ts";
import { bridge } from "../../bridge/index.ts";
import { onCacheChange } from "../../stores/cacheQuery.ts";
import { Button } from "../../ui/Button.tsx";
import { FaultNote, Progress } from "../../ui/notes.tsx";
import { PageSection } from "../../ui/Page.tsx";
import { many } from "../../ui/text.ts";
import { ComparisonResult } from "./ComparisonResult.tsx";
import classes from "./storage.module.css";

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
  const [sample, setSample] = useState<Sample | null>(null);
  const [state, setState] = useState<State>({ kind: "idle" });
  const isUnmounted = useRef(false);
  const drawSample = useCallback(async (): Promise<void> => {
    const answer = await bridge.cache.drawSample({ connectionId });
    if (answer.ok) setSample(answer.value);
    else setState({ kind: "failed", fault: answer.error });
  }, [connectionId]);
  useEffect(() => {
    isUnmounted.current = false;
    void drawSample();
    // The sample must not contain deleted data.
    const unfollow = onCacheChange(connectionId, () => void drawSample());
    return () => {
      isUnmounted.current = true;
      unfollow();
    };
  }, [drawSample, connectionId]);

  const compare = async ({ pieces }: Sample): Promise<void> => {
    const stop = new AbortController();
    setState({ kind: "busy", stop });
    const answer = await bridge.cache.compare({ connectionId, pieces }, { signal: stop.signal });
    if (isUnmounted.current) return;
    if (answer.ok) setState({ kind: "done", compared: answer.value });
    else setState(answer.error.kind === "cancelled" ? { kind: "idle" } : { kind: "failed", fault: answer.error });
    void drawSample();
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
      {state.kind === "failed" ? <FaultNote fault={state.fault} /> : null}
      {state.kind === "done" ? <ComparisonResult compared={state.compared} /> : null}
    </PageSection>
  );
}
