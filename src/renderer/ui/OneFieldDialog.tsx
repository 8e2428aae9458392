import { useState } from "react";
import { Dialog } from "./Dialog.tsx";
import { Form, TextField } from "./fields.tsx";

interface OneFieldProps<Value> {
  readonly label: string;
  readonly hint: string;
  /** Reads what was typed; null if it cannot be read. */
  readonly read: (text: string) => Value | null;
  /** Shown for a text that cannot be read. */
  readonly problem: string;
  /** The label of the button. */
  readonly action: (value: Value | null) => string;
  readonly onSubmit: (value: Value) => void;
  readonly onClose: () => void;
}

/** A dialog that asks for one typed value. */
export function OneFieldDialog<Value>(
  props: OneFieldProps<Value> & { readonly title: string; readonly isOpen: boolean },
) {
  return (
    <Dialog title={props.title} isOpen={props.isOpen} onClose={props.onClose}>
      <OneFieldForm {...props} />
    </Dialog>
  );
}

function OneFieldForm<Value>({ label, hint, read, problem, action, onSubmit, onClose }: OneFieldProps<Value>) {
  const [text, setText] = useState("");
  const value = read(text.trim());
  const submit = (): void => {
    if (value === null) return;
    onSubmit(value);
    onClose();
  };
  return (
    <Form
      className="stack gap-2"
      onSubmit={submit}
      action={{ label: action(value), onCancel: onClose, isDisabled: value === null }}
    >
      <TextField
        label={label}
        autoFocus
        value={text}
        onChange={setText}
        hint={hint}
        problem={text.trim() !== "" && value === null ? problem : null}
      />
    </Form>
  );
}
