import { type FormEvent, useState } from "react";
import type { ConnectionInfo } from "#shared/connection.ts";
import { bridge } from "../../bridge/index.ts";
import { Button } from "../../ui/Button.tsx";
import { DialogActions } from "../../ui/Dialog.tsx";
import { TextField } from "../../ui/fields.tsx";
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
