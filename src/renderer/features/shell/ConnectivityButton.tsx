import { useState } from "react";
import { DialogTrigger, Popover } from "react-aria-components";
import type { Connectivity } from "#shared/bridge/methods/connections.ts";
import { clocksSentence } from "#shared/clocks.ts";
import { bridge } from "../../bridge/index.ts";
import { useNowMs } from "../../stores/clock.ts";
import { useConnection, useConnectionId } from "../../stores/connection.ts";
import { useEngine } from "../../stores/engine.ts";
import { openDialog } from "../../stores/dialogs.ts";
import { showFault, type Toast } from "../../stores/toasts.ts";
import { Button } from "../../ui/Button.tsx";
import floating from "../../ui/floating.module.css";
import { ago, utcMinutes } from "../../ui/text.ts";
import classes from "./status.module.css";

const WORDS = { unknown: "not contacted yet", online: "online", offline: "offline" } as const;

/** Shows whether the service is reachable; a popover shows since when, why, and a button to check again. */
export function ConnectivityButton() {
  const connectivity = useConnection((s) => s.connectivity);
  const lost = useEngine((s) => s.lostReason);
  const isFile = useConnection((s) => s.current?.info.kind === "file");
  const clocks = useConnection((s) => s.current?.clocks ?? null);
  const state = connectivity?.state ?? "unknown";
  const words = lost === null ? WORDS[state] + (clocks === null ? "" : ", clocks differ") : "reconnecting…";
  if (isFile && lost === null) return <span className={classes["source"]}>from a file</span>;
  return (
    <DialogTrigger>
      <Button look="quiet" aria-label={`Network: ${words}`}>
        <span data-swatch className={classes["dot"]} data-state={lost === null ? state : "lost"} />
        <span role="status">{words}</span>
      </Button>
      <Popover className={floating["popover"]} placement="top start" offset={6}>
        <div className={classes["reason"]}>
          {lost !== null ? <p>{lost}. The window reconnects automatically. Stored data are safe.</p> : null}
          {lost === null && connectivity ? <Reason {...connectivity} /> : null}
          {clocks === null ? null : <p>{clocksSentence(clocks)}</p>}
          <CheckNow />
        </div>
      </Popover>
    </DialogTrigger>
  );
}

function Reason({ state, sinceMs, reason }: Connectivity) {
  const nowMs = useNowMs();
  if (state === "unknown") return <p>No request has been sent since this connection was opened.</p>;
  const since = (
    <>
      since <span className={classes["moment"]}>{utcMinutes(sinceMs)} UTC</span> (
      {ago(sinceMs, Math.max(nowMs, sinceMs))})
    </>
  );
  if (state === "online") return <p>The service is reachable, {since}.</p>;
  return (
    <>
      <p>The service is unreachable, {since}. Cached data remain available; downloads wait.</p>
      {reason === null ? null : <p className={classes["quiet"]}>{reason}</p>}
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
    <div>
      <Button isPending={isBusy} onPress={() => void check()}>
        {isBusy ? "Checking…" : "Check now"}
      </Button>
    </div>
  );
}
