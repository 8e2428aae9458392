import { useState } from "react";
import type { ConnectionInfo } from "#shared/connection.ts";
import { isPlainHttp } from "#shared/addresses.ts";
import { useCall } from "../../ask/useCall.ts";
import { bridge } from "../../bridge/index.ts";
import { useCapabilities } from "../../stores/capabilities.ts";
import { showToast } from "../../stores/toasts.ts";
import { Checkbox, Explained, Switch } from "../../ui/choices.tsx";
import { Form, TextField } from "../../ui/fields.tsx";
import { keyProblem } from "./connectionInput.ts";
import classes from "./start.module.css";

const KEY_STORAGE = {
  protected: "Kept in the secret store of this system.",
  file: "Kept in a file that only your account can read, because this system has no secret store.",
  unasked:
    "Kept in the secret store of this system, which may ask you to unlock it; without a secret store, until the program ends.",
} as const;

interface KeyFieldsProps {
  readonly apiKey: string;
  readonly onKey: (apiKey: string) => void;
  readonly remember: boolean;
  readonly onRemember: (remember: boolean) => void;
  readonly problem?: string | undefined;
  readonly autoFocus?: boolean;
  /** The address that the key is sent to. */
  readonly address: string;
  readonly allowsPlainHttp: boolean;
  readonly onAllowPlainHttp: (allows: boolean) => void;
}

/** The fields for the API key and for remembering it, with an explanation of how this system stores it. */
export function KeyFields({ apiKey, onKey, remember, onRemember, problem, autoFocus = false, ...way }: KeyFieldsProps) {
  const { keys } = useCapabilities();
  return (
    <>
      <TextField
        label="API key"
        type="password"
        value={apiKey}
        onChange={onKey}
        problem={problem ?? null}
        autoComplete="off"
        autoFocus={autoFocus}
        hint="Sent only to this service and never shown again."
      />
      {isPlainHttp(way.address) ? (
        <Explained text="The address begins with http://: anyone on the network path can read it. Use https:// if the service has it.">
          <Checkbox value={way.allowsPlainHttp} onChange={way.onAllowPlainHttp}>
            Send the key unencrypted
          </Checkbox>
        </Explained>
      ) : null}
      {keys === "session" ? (
        <p className="mt-1 text-faint text-small leading-4">
          This system has no protected storage for keys. The key is kept until the program ends; enter it again after
          the next start.
        </p>
      ) : (
        <Explained
          text={remember ? KEY_STORAGE[keys] : "Kept until the program ends; enter it again after the next start."}
        >
          <Switch value={remember} onChange={onRemember}>
            Remember the key
          </Switch>
        </Explained>
      )}
    </>
  );
}

/** The form for a new key of a connection, which is saved only if the service accepts it. */
export function KeyForm(props: { readonly connection: ConnectionInfo; readonly onDone: () => void }) {
  const { connection, onDone } = props;
  const [apiKey, setKey] = useState("");
  const [remember, setRemember] = useState(connection.keyKept !== "session");
  const [allowsPlainHttp, setAllowsPlainHttp] = useState(false);
  const [problem, setProblem] = useState<string>();
  const { isBusy, fault, run } = useCall();
  const submit = async (): Promise<void> => {
    if (isBusy) return;
    const found = keyProblem(apiKey, connection.baseUrl, allowsPlainHttp).apiKey;
    setProblem(found);
    if (found !== undefined) return;
    const key = { connectionId: connection.id, apiKey, allowsPlainHttp, remember };
    if (!(await run(() => bridge.connections.setKey(key))).ok) return;
    showToast(`The new key of “${connection.name}” is in use.`);
    onDone();
    // Updates the connectivity in the status bar.
    void bridge.connections.probe({ connectionId: connection.id });
  };
  return (
    <Form
      className={classes["form"]}
      onSubmit={submit}
      fault={fault}
      action={{ label: isBusy ? "Contacting the service…" : "Use this key", onCancel: onDone, isPending: isBusy }}
    >
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
    </Form>
  );
}
