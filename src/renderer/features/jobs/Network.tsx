import { useState } from "react";
import type { Connectivity } from "#shared/bridge/methods/connections.ts";
import { clocksSentence } from "#shared/clocks.ts";
import { bridge } from "../../bridge/index.ts";
import { useNowMs } from "../../stores/clock.ts";
import { useConnection, useConnectionId, useIsFile, usePausedUntilMs } from "../../stores/connection.ts";
import { openDialog } from "../../stores/dialogs.ts";
import { useEngine } from "../../stores/engine.ts";
import { showFault, type Toast } from "../../stores/toasts.ts";
import { useSomeJob } from "../../stores/work.ts";
import { Button } from "../../ui/Button.tsx";
import { ago, timeOfDay, utcMinutes } from "../../ui/text.ts";

/** Whether the service is reachable, since when and why not, and whether its clock differs, with a button to check again. */
export function Network() {
  const connectivity = useConnection((s) => s.connectivity);
  const clocks = useConnection((s) => s.current?.clocks ?? null);
  const pausedUntilMs = usePausedUntilMs();
  const lost = useEngine((s) => s.lostReason);
  if (useIsFile() && lost === null) return null;
  return (
    <section aria-label="Network" className="row caption gap-3 pt-1 pr-3 pb-2 pl-4 border-b border-line">
      <div className="flex-1 min-w-0 wrap-anywhere">
        {lost !== null ? <p>{lost}. The window reconnects automatically. Stored data are safe.</p> : null}
        {lost === null && connectivity ? <Reason {...connectivity} /> : null}
        {lost === null && pausedUntilMs !== null ? (
          <p>
            The service asked to wait until {timeOfDay(pausedUntilMs)} UTC. Downloads and live values wait. Checking now
            sends one small request; if it is answered, the wait ends.
          </p>
        ) : null}
        {clocks === null ? null : <p>{clocksSentence(clocks)}</p>}
      </div>
      <CheckNow />
    </section>
  );
}

function Reason({ state, sinceMs, reason }: Connectivity) {
  const nowMs = useNowMs();
  // A download that waits says when it tries again.
  const isWaiting = useSomeJob((job) => job.state === "waitingForNetwork");
  if (state === "unknown") return <p>No request has been sent since this connection was opened.</p>;
  const since = (
    <>
      since <span className="whitespace-nowrap">{utcMinutes(sinceMs)} UTC</span> (
      {ago(sinceMs, Math.max(nowMs, sinceMs))})
    </>
  );
  if (state === "online") return <p>The service has been reachable {since}.</p>;
  return (
    <>
      <p>
        The service has been unreachable {since}. Cached data remain available; downloads wait.
        {isWaiting ? null : " This window asks again every minute."}
      </p>
      {reason === null ? null : <p className="text-quiet">{reason}</p>}
    </>
  );
}

function newKeyAction(): Toast["action"] {
  const connection = useConnection.getState().current?.info;
  return connection ? { label: "New key", run: () => openDialog({ kind: "key", connection }) } : null;
}

function CheckNow() {
  const connectionId = useConnectionId();
  const [isBusy, setBusy] = useState(false);
  const check = async (): Promise<void> => {
    setBusy(true);
    const answer = await bridge.connections.probe({ connectionId });
    setBusy(false);
    if (answer.ok) useConnection.setState({ connectivity: answer.value });
    else showFault(answer.error, answer.error.kind === "key" ? newKeyAction() : null);
  };
  return (
    <Button isPending={isBusy} onPress={() => void check()}>
      {isBusy ? "Checking…" : "Check now"}
    </Button>
  );
}
