import { type FormEvent, useState } from "react";
import type { OrphanedCache } from "#shared/bridge/methods/connections.ts";
import type { ConnectionInfo } from "#shared/connection.ts";
import type { AppFault } from "#shared/fault.ts";
import { bridge } from "../../bridge/index.ts";
import { openConnection } from "../../stores/connection.ts";
import { Button } from "../../ui/Button.tsx";
import { DialogActions } from "../../ui/Dialog.tsx";
import { TextField } from "../../ui/fields.tsx";
import { FaultNote } from "../../ui/notes.tsx";
import { nameFor } from "./connectionInput.ts";
import classes from "./start.module.css";

export function RenameForm(props: { readonly connection: ConnectionInfo; readonly onDone: () => void }) {
  const { connection, onDone } = props;
  const [name, setName] = useState(connection.name);
  const [problem, setProblem] = useState<string | null>(null);
  const onSubmit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const answer = await bridge.connections.rename({ connectionId: connection.id, name });
    if (answer.ok) onDone();
    else setProblem(answer.error.message);
  };
  return (
    <form className={classes["form"]} onSubmit={(event) => void onSubmit(event)} noValidate>
      <TextField label="Name" value={name} onChange={setName} problem={problem} autoFocus autoComplete="off" />
      <DialogActions>
        <Button onPress={onDone}>Cancel</Button>
        <Button type="submit" look="primary" isDisabled={name.trim() === ""}>
          Rename
        </Button>
      </DialogActions>
    </form>
  );
}

/** The form that creates a connection for a cache without one, and opens it. */
export function AdoptForm(props: { readonly cache: OrphanedCache; readonly onDone: () => void }) {
  const { cache, onDone } = props;
  const [name, setName] = useState(cache.name ?? "");
  const [baseUrl, setBaseUrl] = useState(cache.baseUrl ?? "");
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState<AppFault | null>(null);
  const onSubmit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    const effectiveName = nameFor({ name, baseUrl });
    const answer = await bridge.connections.adopt({
      path: cache.path,
      ...(effectiveName === "" ? {} : { name: effectiveName }),
      ...(baseUrl.trim() === "" ? {} : { baseUrl }),
    });
    setBusy(false);
    if (!answer.ok) return setFault(answer.error);
    onDone();
    await openConnection(answer.value.id);
  };
  return (
    <form className={classes["form"]} onSubmit={(event) => void onSubmit(event)} noValidate>
      <p className={classes["text"]}>
        {cache.baseUrl === null
          ? "This cache does not contain the address of its service. Enter the address."
          : "This restores the connection. Enter its key before fetching data."}
      </p>
      <p className="caption wrap-anywhere select-text">{cache.path}</p>
      <TextField
        label="Name"
        value={name}
        onChange={setName}
        placeholder={nameFor({ name, baseUrl })}
        autoComplete="off"
        autoFocus
      />
      {/* Data of two services must not mix: an address in the cache cannot be changed. */}
      <TextField
        label="Address of the service"
        type="url"
        value={baseUrl}
        onChange={setBaseUrl}
        placeholder="https://api.example.org"
        isDisabled={cache.baseUrl !== null}
        autoComplete="url"
      />
      {fault ? <FaultNote fault={fault} /> : null}
      <DialogActions>
        <Button onPress={onDone}>Cancel</Button>
        <Button type="submit" look="primary" isPending={isBusy}>
          Adopt
        </Button>
      </DialogActions>
    </form>
  );
}
