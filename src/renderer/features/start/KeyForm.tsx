import { useState } from "react";
import type { ConnectionInfo } from "#shared/connection.ts";
import { isPlainHttp } from "#shared/addresses.ts";
import { useCall } from "../../ask/useCall.ts";
import { bridge } from "../../bridge/index.ts";
import { useCapabilities } from "../../stores/capabilities.ts";
import { showToast } from "../../stores/toasts.ts";
import { Checkbox, Explained, Switch } from "../../ui/choices.tsx";
import { Form, TextField } from "../../ui/fields.tsx";
import { keyProblem, type ConnectionInput } from "./connectionInput.ts";
import classes from "./start.module.css";
import { fieldsOf } from "../../ui/fieldsOf.ts";
import { useClose } from "../../ui/Dialog.tsx";

const KEY_STORAGE = {
  protected: "Kept in the secret store of this system.",
  file: "Kept in a file that only your account can read, because this system has no secret store.",
  unasked:
    "Kept in the secret store of this system, which may ask you to unlock it; without a secret store, until the program ends.",
} as const;

/** What is typed of a key, and of the address that it is sent to. */
type TypedKey = Pick<ConnectionInput, "apiKey" | "baseUrl" | "remember" | "allowsPlainHttp">;

interface KeyFieldsProps {
  readonly typed: TypedKey;
  readonly onChange: (part: Partial<TypedKey>) => void;
  readonly problem: string | undefined;
  readonly autoFocus?: boolean;
}

/** The fields for the API key and for remembering it, with an explanation of how this system stores it. */
export function KeyFields({ typed, onChange, problem, autoFocus = false }: KeyFieldsProps) {
  const field = fieldsOf(typed, onChange);
  const { keys } = useCapabilities();
  return (
    <>
      <TextField
        label="API key"
        type="password"
        {...field("apiKey")}
        problem={problem ?? null}
        autoComplete="off"
        autoFocus={autoFocus}
        hint="Sent only to this service and never shown again."
      />
      {isPlainHttp(typed.baseUrl) ? (
        <Explained text="The address begins with http://: anyone on the network path can read it. Use https:// if the service has it.">
          <Checkbox {...field("allowsPlainHttp")}>Send the key unencrypted</Checkbox>
        </Explained>
      ) : null}
      {keys === "session" ? (
        <p className="mt-1 text-faint text-small leading-4">
          This system has no protected storage for keys. The key is kept until the program ends; enter it again after
          the next start.
        </p>
      ) : (
        <Explained
          text={
            typed.remember ? KEY_STORAGE[keys] : "Kept until the program ends; enter it again after the next start."
          }
        >
          <Switch {...field("remember")}>Remember the key</Switch>
        </Explained>
      )}
    </>
  );
}

/** The form for a new key of a connection, which is saved only if the service accepts it. */
export function KeyForm({ connection }: { readonly connection: ConnectionInfo }) {
  const close = useClose();
  const { id: connectionId, baseUrl, name } = connection;
  const initial = { apiKey: "", baseUrl, remember: connection.keyKept !== "session", allowsPlainHttp: false };
  const [typed, setTyped] = useState<TypedKey>(initial);
  const [problem, setProblem] = useState<string>();
  const [isSameOrganization, setSame] = useState(false);
  const { isBusy, fault, run } = useCall();
  const submit = async (): Promise<void> => {
    if (isBusy) return;
    const { apiKey, remember, allowsPlainHttp } = typed;
    const found = keyProblem(apiKey, baseUrl, allowsPlainHttp).apiKey;
    setProblem(found);
    if (found !== undefined) return;
    const key = { connectionId, apiKey, allowsPlainHttp, isSameOrganization, remember };
    if (!(await run(() => bridge.connections.setKey(key))).ok) return;
    showToast(`The new key of “${name}” is in use.`);
    close();
    // Updates the connectivity in the status bar.
    void bridge.connections.probe({ connectionId });
  };
  const change = (part: Partial<TypedKey>): void => {
    setTyped({ ...typed, ...part });
    setProblem(undefined);
  };
  return (
    <Form
      className={classes["form"]}
      onSubmit={submit}
      fault={fault}
      action={{ label: isBusy ? "Contacting the service…" : "Use this key", isPending: isBusy }}
    >
      <p>The key is sent to {baseUrl}.</p>
      <KeyFields typed={typed} onChange={change} problem={problem} autoFocus />
      {fault?.kind === "usage" || isSameOrganization ? (
        <Checkbox value={isSameOrganization} onChange={setSame}>
          It is a key of the same organization
        </Checkbox>
      ) : null}
    </Form>
  );
}
