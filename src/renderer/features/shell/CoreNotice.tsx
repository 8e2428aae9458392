import { useEffect, useState } from "react";
import { currentSecret } from "../../bridge/secret.ts";
import { callShell } from "../../bridge/webShell.ts";
import { useCore } from "../../stores/core.ts";
import { showToast } from "../../stores/toasts.ts";
import { Button } from "../../ui/Button.tsx";
import classes from "./core.module.css";

const NO_ANSWER = "Zenith Desk does not respond. Try again, or restart it in its terminal.";
/** A shorter loss of the connection is not reported. */
const REPORT_AFTER_MS = 1_500;

/** A notice in the middle of the window if the core does not respond or cannot be reached, with what to do. */
export function CoreNotice() {
  const isSilent = useCore((s) => s.isSilent);
  const lostReason = useCore((s) => s.lostReason);
  if (isSilent) return <Silent />;
  return lostReason === null ? null : <Lost reason={lostReason} />;
}

function Silent() {
  const [isBusy, setBusy] = useState(false);
  const restart = async (): Promise<void> => {
    setBusy(true);
    // The notice closes when the new core, or this one, responds.
    if (window.zenithShell) return window.zenithShell.restartCore();
    const answer = await callShell("restart", currentSecret() ?? "").catch(() => null);
    setBusy(false);
    if (!answer?.ok) showToast((await answer?.text()) ?? NO_ANSWER, null, "fault");
  };
  return (
    <div role="alert" className={classes["notice"]}>
      <h2 className="text-large leading-6">The core does not respond</h2>
      <p>Nothing new can be shown or stored. Stored data are kept.</p>
      <p>It may be busy. If this persists, restart it; downloads resume where they were.</p>
      <div className="flex justify-end mt-2">
        <Button look="primary" isPending={isBusy} onPress={() => void restart()}>
          {isBusy ? "Restarting…" : "Restart the core"}
        </Button>
      </div>
    </div>
  );
}

function Lost({ reason }: { readonly reason: string }) {
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), REPORT_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!isShown) return null;
  return (
    <div role="alert" className={classes["notice"]}>
      <h2 className="text-large leading-6">Zenith Desk cannot be reached</h2>
      <p>{reason.replace(/[.\s]+$/, "")}. Stored data are kept, but nothing new can be shown or stored.</p>
      <p>
        This page reconnects automatically while Zenith Desk runs; if you use an SSH tunnel, open the tunnel again. If
        Zenith Desk was stopped, start it again in its terminal, and open the link that it prints.
      </p>
    </div>
  );
}
