import { type FormEvent, useState } from "react";
import type { ConnectionInfo } from "#shared/connection.ts";
import type { AppFault } from "#shared/fault.ts";
import { bridge } from "../../bridge/index.ts";
import { showToast } from "../../stores/toasts.ts";
import { Button } from "../../ui/Button.tsx";
import { DialogActions } from "../../ui/Dialog.tsx";
import { FaultNote } from "../../ui/notes.tsx";
import { KeyFields } from "./KeyFields.tsx";
import { keyProblem } from "./connectionInput.ts";
import classes from "./start.module.css";

/** The form for a new key of a connection, which is saved only if the service accepts it. */
export function KeyForm(props: { readonly connection: ConnectionInfo; readonly onDone: () => void }) {
  const { connection, onDone } = props;
  const [apiKey, setKey] = useState("");
  const [remember, setRemember] = useState(connection.keyKept !== "session");
  const [allowsPlainHttp, setAllowsPlainHttp] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [fault, setFault] = useState<AppFault | null>(null);
  const onSubmit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (isBusy) return;
    const found = keyProblem(apiKey, connection.baseUrl, allowsPlainHttp).apiKey;
    setProblem(found);
    if (found !== undefined) return;
    setBusy(true);
    const answer = await bridge.connections.setKey({ connectionId: connection.id, apiKey, allowsPlainHttp, remember });
    setBusy(false);
    if (!answer.ok) return setFault(answer.error);
    showToast(`The new key of “${connection.name}” is in use.`);
    onDone();
    // Updates the connectivity in the status bar.
    void bridge.connections.probe({ connectionId: connection.id });
  };
  return (
    <form className={classes["form"]} onSubmit={(event) => void onSubmit(event)} noValidate>
      <p>The key is sent to {connection.baseUrl}.</p>
      <KeyFields
        autoFocus
        apiKey={apiKey}
        onKey={(key) => {
          setKey(key);
          setProblem(undefined);
        }}
        problem={problem}
        remember={remember}
        onRemember={setRemember}
        address={connection.baseUrl}
        allowsPlainHttp={allowsPlainHttp}
        onAllowPlainHttp={(allows) => {
          setAllowsPlainHttp(allows);
          setProblem(undefined);
        }}
      />
      {fault ? <FaultNote fault={fault} /> : null}
      <DialogActions>
        <Button onPress={onDone}>Cancel</Button>
        <Button type="submit" look="primary" isPending={isBusy}>
          {isBusy ? "Contacting the service…" : "Use this key"}
        </Button>
      </DialogActions>
    </form>
  );
}
