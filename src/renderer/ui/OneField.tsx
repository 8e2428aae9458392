import { type ReactNode, useState } from "react";
import type { AppFault } from "#shared/fault.ts";
import type { Result } from "#shared/service/error.ts";
import { useCall } from "../ask/useCall.ts";
import { Dialog, useClose } from "./Dialog.tsx";
import { Form, TextField } from "./fields.tsx";

interface OneFieldProps<Value> {
  readonly label: string;
  readonly initial?: string;
  readonly hint?: ReactNode;
  /** Reads what was typed; null if it cannot be read. */
  readonly read: (text: string) => Value | null;
  /** Shown for a text that cannot be read. */
  readonly problem?: string;
  /** The label of the button. */
  readonly action: string | ((value: Value | null) => string);
  /** Returns the fault of a call, which is shown at the field. */
  readonly onSubmit: (value: Value) => void | Promise<Result<unknown, AppFault>>;
  /** Called with what is typed. */
  readonly onChange?: (text: string) => void;
}

/** A dialog that asks for one typed value. */
export function OneFieldDialog<Value>(
  props: OneFieldProps<Value> & { readonly title: string; readonly isOpen: boolean; readonly onClose: () => void },
) {
  return (
    <Dialog title={props.title} isOpen={props.isOpen} onClose={props.onClose}>
      <OneFieldForm {...props} />
    </Dialog>
  );
}

/** The form of a dialog that asks for one typed value. */
export function OneFieldForm<Value>(props: OneFieldProps<Value>) {
  const { label, initial = "", hint, read, problem = null, action, onSubmit, onChange } = props;
  const close = useClose();
  const [text, setText] = useState(initial);
  const { fault, run, clearFault } = useCall();
  const value = read(text.trim());
  const submit = async (): Promise<void> => {
    if (value === null) return;
    const call = onSubmit(value);
    if (call === undefined || (await run(() => call)).ok) close();
  };
  const change = (next: string): void => {
    setText(next);
    clearFault();
    onChange?.(next);
  };
  return (
    <Form
      className="stack gap-2"
      onSubmit={submit}
      action={{
        label: typeof action === "string" ? action : action(value),
        isDisabled: value === null,
      }}
    >
      <TextField
        label={label}
        autoFocus
        autoComplete="off"
        value={text}
        onChange={change}
        hint={hint}
        problem={fault?.message ?? (text.trim() !== "" && value === null ? problem : null)}
      />
    </Form>
  );
}
