import { useState } from "react";
import type { AppFault } from "#shared/fault.ts";
import { bridge } from "../../bridge/index.ts";
import { useConnection, openConnection } from "../../stores/connection.ts";
import { Button } from "../../ui/Button.tsx";
import { Form, TextField } from "../../ui/fields.tsx";
import { FaultNote } from "../../ui/notes.tsx";
import { many } from "../../ui/text.ts";
import { KeyFields } from "./KeyForm.tsx";
import classes from "./start.module.css";
import { nameFor, problemsOf, type Problems, type ConnectionInput } from "./connectionInput.ts";
import { fieldsOf } from "../../ui/fieldsOf.ts";
import { useClose, CloseButton } from "../../ui/Dialog.tsx";

type State =
  | { readonly kind: "typing" | "testing" | "connecting" }
  | { readonly kind: "tested"; readonly stations: number }
  | { readonly kind: "failed"; readonly fault: AppFault };

const EMPTY: ConnectionInput = { name: "", baseUrl: "", apiKey: "", remember: true, allowsPlainHttp: false };

interface ConnectFormProps {
  /** Whether it is in a dialog, which can be left. */
  readonly isDialog?: boolean;
  /** Called with whether the address is non-empty. */
  readonly onTyped?: (isTyped: boolean) => void;
}

/** What is typed into the form, its problems, and the attempts to reach the service. */
function useConnecting(onTyped: ConnectFormProps["onTyped"]) {
  const close = useClose();
  const [typed, setTyped] = useState(EMPTY);
  const [state, setState] = useState<State>({ kind: "typing" });
  const [problems, setProblems] = useState<Problems>({});
  const all = useConnection((s) => s.all);
  const isBusy = state.kind === "testing" || state.kind === "connecting";
  const isComplete = (): boolean => {
    const names = (all ?? []).map((c) => c.name);
    const found = problemsOf(typed, names);
    setProblems(found);
    return Object.keys(found).length === 0;
  };
  /** Runs an attempt. Its outcome is ignored if the input changed in the meantime. */
  const attempt = async (kind: "testing" | "connecting", work: () => Promise<State>): Promise<State | null> => {
    if (isBusy || !isComplete()) return null;
    const attempted: State = { kind };
    setState(attempted);
    const outcome = await work();
    setState((now) => (now === attempted ? outcome : now));
    return outcome;
  };
  return {
    typed,
    state,
    problems,
    isBusy,
    change(part: Partial<ConnectionInput>): void {
      const next = { ...typed, ...part };
      setTyped(next);
      onTyped?.(next.baseUrl !== "");
      // The result of a test does not depend on it.
      if (part.remember !== undefined) return;
      setState({ kind: "typing" });
      setProblems({});
    },
    test: () => attempt("testing", () => test(typed)),
    async submit(isChecked: boolean): Promise<void> {
      const outcome = await attempt("connecting", () => connect(typed, isChecked));
      if (outcome?.kind !== "typing") return;
      setTyped(EMPTY);
      close();
    },
  };
}

/** The form for a new connection. Address and key can be tested, and are tested before they are saved. */
export function ConnectForm({ isDialog = false, onTyped }: ConnectFormProps) {
  const { typed, state, problems, isBusy, change, test, submit } = useConnecting(onTyped);
  const field = fieldsOf(typed, change);
  return (
    <Form className={classes["form"]} onSubmit={() => submit(state.kind !== "tested")}>
      <TextField
        label="Address of the service"
        type="url"
        value={typed.baseUrl}
        onChange={(baseUrl) => change({ baseUrl, allowsPlainHttp: false })}
        placeholder="https://api.example.org"
        problem={problems.baseUrl ?? null}
        autoComplete="url"
        autoFocus={isDialog}
      />
      <TextField
        label="Name (optional)"
        {...field("name")}
        placeholder={nameFor(typed) || "any name"}
        problem={problems.name ?? null}
        autoComplete="off"
      />
      <KeyFields typed={typed} onChange={change} problem={problems.apiKey} />
      <div className={classes["actions"]}>
        <Outcome state={state} />
        {isDialog ? <CloseButton /> : null}
        <Button onPress={() => void test()} isPending={isBusy}>
          Test connection
        </Button>
        <Button type="submit" look={typed.baseUrl === "" ? "plain" : "primary"} isPending={isBusy}>
          Connect
        </Button>
      </div>
      {state.kind === "failed" ? (
        <FaultNote
          fault={state.fault}
          // Without a network the input may still be valid, unlike a refused key or a wrong address.
          action={
            state.fault.kind === "network" ? <Button onPress={() => void submit(false)}>Save anyway</Button> : null
          }
        />
      ) : null}
    </Form>
  );
}

function Outcome({ state }: { readonly state: State }) {
  return (
    <p
      role="status"
      className="flex-1 self-center text-quiet data-good:text-(--ok)"
      data-good={state.kind === "tested" || undefined}
    >
      {state.kind === "testing" ? "Contacting the service…" : null}
      {state.kind === "connecting" ? "Connecting…" : null}
      {state.kind === "tested" ? `The service responds: ${many(state.stations, "station")}.` : null}
    </p>
  );
}

/** Asks the service for its stations. */
async function test({ baseUrl, apiKey, allowsPlainHttp }: ConnectionInput): Promise<State> {
  const answer = await bridge.connections.test({ baseUrl, apiKey, allowsPlainHttp });
  return answer.ok ? { kind: "tested", stations: answer.value.stations } : { kind: "failed", fault: answer.error };
}

/** Saves a connection and opens it; with `isChecked`, only if the service responds and accepts the key. */
async function connect(typed: ConnectionInput, isChecked: boolean): Promise<State> {
  const { baseUrl, apiKey, remember, allowsPlainHttp } = typed;
  if (isChecked) {
    const tested = await test(typed);
    if (tested.kind === "failed") return tested;
  }
  const added = await bridge.connections.add({ name: nameFor(typed), baseUrl, apiKey, allowsPlainHttp, remember });
  if (!added.ok) return { kind: "failed", fault: added.error };
  await openConnection(added.value.id);
  return { kind: "typing" };
}
