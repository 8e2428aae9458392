import { type FormEvent, useState } from "react";
import type { KeptExport } from "#shared/bridge/methods/export.ts";
import { savedExportName } from "#shared/file/savedExport.ts";
import { Button } from "../../ui/Button.tsx";
import { DialogActions } from "../../ui/Dialog.tsx";
import { TextField } from "../../ui/fields.tsx";
import classes from "./export.module.css";
import { renameSaved } from "./savedActions.ts";
import { NAME_PROBLEM } from "./words.ts";

/** Asks for another name. */
export function RenameSaved({ saved, onDone }: { readonly saved: KeptExport; readonly onDone: () => void }) {
  const [name, setName] = useState(saved.name);
  const [problem, setProblem] = useState<string | null>(null);
  const isName = savedExportName.safeParse(name).success;
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const fault = isName ? await renameSaved(saved, name) : null;
    if (fault) setProblem(fault.message);
    else if (isName) onDone();
  };
  const change = (value: string): void => {
    setName(value);
    setProblem(null);
  };
  return (
    <form className={classes["column"]} onSubmit={(event) => void submit(event)} noValidate>
      <TextField
        label="Name"
        value={name}
        onChange={change}
        problem={problem ?? (name.trim() !== "" && !isName ? NAME_PROBLEM : null)}
        hint="Commands that use the earlier name will fail."
        autoFocus
        autoComplete="off"
      />
      <DialogActions>
        <Button onPress={onDone}>Cancel</Button>
        <Button type="submit" look="primary" isDisabled={!isName}>
          Rename
        </Button>
      </DialogActions>
    </form>
  );
}
