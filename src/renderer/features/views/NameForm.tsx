import { type FormEvent, useState } from "react";
import type { AppFault } from "#shared/fault.ts";
import { Button } from "../../ui/Button.tsx";
import { DialogActions } from "../../ui/Dialog.tsx";
import { TextField } from "../../ui/fields.tsx";
import { useViews } from "./store.ts";
import classes from "./views.module.css";

const MAX_CHARACTERS = 100;

interface NameFormProps {
  readonly initial: string;
  readonly action: string;
  readonly hint?: string;
  /** Whether a view with this name is replaced, which can be undone. Otherwise `apply` reports the conflict. */
  readonly replaces?: boolean;
  readonly apply: (name: string) => Promise<AppFault | null>;
  readonly onDone: () => void;
}

/** The form for the name of a view. */
export function NameForm({ initial, action, hint, replaces = false, apply, onDone }: NameFormProps) {
  const [name, setName] = useState(initial);
  const [problem, setProblem] = useState<string | null>(null);
  const isTaken = useViews((s) => s.views.some((view) => view.name === name.trim()));
  const isTooLong = name.trim().length > MAX_CHARACTERS;
  const onSubmit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const fault = await apply(name);
    if (fault) setProblem(fault.message);
    else onDone();
  };
  const change = (value: string): void => {
    setName(value);
    setProblem(null);
  };
  const tooLong = isTooLong ? `Use at most ${MAX_CHARACTERS} characters.` : null;
  return (
    <form className={classes["form"]} onSubmit={(event) => void onSubmit(event)} noValidate>
      <TextField
        label="Name"
        value={name}
        onChange={change}
        problem={problem ?? tooLong}
        hint={replaces && isTaken ? "A view with this name exists and will be replaced. You can undo that." : hint}
        autoFocus
        autoComplete="off"
      />
      <DialogActions>
        <Button onPress={onDone}>Cancel</Button>
        <Button type="submit" look="primary" isDisabled={name.trim() === "" || isTooLong}>
          {replaces && isTaken ? "Replace" : action}
        </Button>
      </DialogActions>
    </form>
  );
}
