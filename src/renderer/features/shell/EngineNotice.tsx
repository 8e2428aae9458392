import { useState } from "react";
import { currentSecret } from "../../bridge/secret.ts";
import { askShell } from "../../bridge/webShell.ts";
import { useEngine } from "../../stores/engine.ts";
import { showToast } from "../../stores/toasts.ts";
import { Button } from "../../ui/Button.tsx";
import classes from "./shell.module.css";

const NO_ANSWER = "Zenith Desk does not answer. Try again, or start it again in its terminal.";

/** Tells that the engine does not answer, and starts it again on request. */
export function EngineNotice() {
  const isSilent = useEngine((s) => s.isSilent);
  const [isBusy, setBusy] = useState(false);
  if (!isSilent) return null;
  const restart = async (): Promise<void> => {
    setBusy(true);
    const answer = await askShell("restart", currentSecret() ?? "").catch(() => null);
    setBusy(false);
    if (!answer?.ok) showToast((await answer?.text()) ?? NO_ANSWER, null, "fault");
  };
  return (
    <div role="alert" className={`${classes["notice"]} ${classes["engine"]}`}>
      <p>The engine does not answer: nothing new can be shown or stored. What had arrived is kept.</p>
      <Button isPending={isBusy} onPress={() => void restart()}>
        {isBusy ? "Restarting…" : "Restart the engine"}
      </Button>
    </div>
  );
}
