import { useState } from "react";
import type { AppFault } from "#shared/fault.ts";
import { bridge } from "../../bridge/index.ts";
import { Button } from "../../ui/Button.tsx";
import { FaultNote, Progress } from "../../ui/notes.tsx";
import { RoomSection } from "../../ui/Room.tsx";
import { bytes } from "../../ui/text.ts";
import classes from "./storage.module.css";

type State =
  | { readonly kind: "idle" }
  | { readonly kind: "busy"; readonly text: string }
  | { readonly kind: "said"; readonly text: string; readonly isBad: boolean }
  | { readonly kind: "failed"; readonly fault: AppFault };

/** Checking the cache file, and giving room back. */
export function Care({ connectionId }: { readonly connectionId: string }) {
  const [state, setState] = useState<State>({ kind: "idle" });
  const isBusy = state.kind === "busy";
  const check = async (): Promise<void> => {
    setState({
      kind: "busy",
      text: "Every row is read and checked. A large cache takes a while.",
    });
    const answer = await bridge.cache.check({ connectionId });
    if (!answer.ok) return setState({ kind: "failed", fault: answer.error });
    const { damage } = answer.value;
    setState({
      kind: "said",
      isBad: damage !== null,
      text: damage === null ? "Everything was read, and nothing is damaged." : damage,
    });
  };
  const compact = async (): Promise<void> => {
    setState({ kind: "busy", text: "Freed room is given back to the disk." });
    const before = await bridge.cache.statistics({ connectionId });
    const answer = await bridge.cache.compact({ connectionId });
    if (!answer.ok) return setState({ kind: "failed", fault: answer.error });
    const freed = before.ok ? before.value.fileBytes - answer.value.fileBytes : 0;
    const text = freed > 0 ? `${bytes(freed)} were given back.` : "There was nothing to give back.";
    setState({ kind: "said", isBad: false, text });
  };
  return (
    <RoomSection title="Care">
      <div className={classes["row"]}>
        <p className={classes["text"]}>Reads everything and compares it with its checksums.</p>
        <Button isPending={isBusy} onPress={() => void check()}>
          Check
        </Button>
      </div>
      <div className={classes["row"]}>
        <p className={classes["text"]}>Makes the file as small as what is in it, after something was forgotten.</p>
        <Button isPending={isBusy} onPress={() => void compact()}>
          Compact
        </Button>
      </div>
      {state.kind === "busy" ? <Progress label="At work" share={null} text={state.text} /> : null}
      {state.kind === "failed" ? <FaultNote fault={state.fault} /> : null}
      <p role="status" className={classes["said"]} data-bad={(state.kind === "said" && state.isBad) || undefined}>
        {state.kind === "said" ? state.text : null}
      </p>
    </RoomSection>
  );
}
