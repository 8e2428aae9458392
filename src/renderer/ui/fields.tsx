import { Search, X } from "lucide-react";
import type { AppFault } from "#shared/fault.ts";
import type { ClipboardEvent, ReactNode, Ref } from "react";
import {
  Button as AriaButton,
  type ButtonProps,
  FieldError,
  Input,
  type KeyboardEvent,
  Label,
  SearchField as AriaSearchField,
  Text,
  TextField as AriaTextField,
} from "react-aria-components";
import { Button } from "./Button.tsx";
import classes from "./controls.module.css";
import { CloseButton, DialogActions } from "./Dialog.tsx";
import { useIsInvalid } from "./InputScope.tsx";
import { FaultNote } from "./notes.tsx";

interface TextFieldProps {
  readonly label: string;
  /** Whether the label is only for screen readers. */
  readonly isLabelHidden?: boolean;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly type?: "text" | "password" | "url";
  /** Of a number. */
  readonly inputMode?: "decimal";
  readonly placeholder?: string;
  readonly hint?: ReactNode;
  /** Why the value is invalid, as a sentence. */
  readonly problem?: string | null;
  readonly isDisabled?: boolean;
  readonly autoFocus?: boolean;
  readonly autoComplete?: string;
  readonly onBlur?: () => void;
  readonly onKeyDown?: (event: KeyboardEvent) => void;
}

export function TextField({ label, isLabelHidden = false, hint, problem, placeholder, ...props }: TextFieldProps) {
  return (
    <AriaTextField {...props} isInvalid={Boolean(problem)} className={classes["field"]}>
      <Label className={isLabelHidden ? "visually-hidden" : classes["label"]}>{label}</Label>
      <Input className={classes["input"]} {...(placeholder ? { placeholder } : {})} />
      <div className={classes["under"]}>
        <FieldError className={classes["problem"]}>{problem}</FieldError>
      </div>
      {hint ? (
        <Text slot="description" className={classes["hint"]}>
          {hint}
        </Text>
      ) : null}
    </AriaTextField>
  );
}

/** The main action of a form in a dialog, beside the button that leaves it. */
interface FormAction extends Pick<ButtonProps, "isDisabled" | "isPending" | "autoFocus"> {
  readonly label: string;
  readonly cancelLabel?: string;
}

interface FormProps {
  readonly children: ReactNode;
  readonly onSubmit: () => unknown;
  readonly className?: string | undefined;
  /** Absent if the form has other buttons. */
  readonly action?: FormAction;
  /** Why the last submission failed, unless a field says so. */
  readonly fault?: AppFault | null;
}

/** Fields with a submit button. The fields state what is wrong, so the browser does not; an invalid number stops it. */
export function Form({ children, onSubmit, className = "stack gap-3", action, fault }: FormProps) {
  const isInvalid = useIsInvalid();
  return (
    <form
      className={className}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!isInvalid) return void onSubmit();
        event.currentTarget.querySelector<HTMLElement>("input[data-invalid]")?.focus();
      }}
    >
      {children}
      {action ? <FormActions {...action} /> : null}
      {/* Last, so that it moves no field and no button. */}
      {fault ? <FaultNote fault={fault} /> : null}
    </form>
  );
}

function FormActions({ label, cancelLabel, ...state }: FormAction) {
  return (
    <DialogActions>
      <CloseButton>{cancelLabel}</CloseButton>
      <Button {...state} type="submit" look="primary">
        {label}
      </Button>
    </DialogActions>
  );
}

interface SearchFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly placeholder?: string;
  readonly inputRef?: Ref<HTMLInputElement>;
  readonly onKeyDown?: (event: KeyboardEvent) => void;
  readonly onPaste?: (event: ClipboardEvent) => void;
}

/** A search field with an icon and a placeholder; its label is only for screen readers. */
export function SearchField({ label, placeholder, inputRef, onPaste, ...props }: SearchFieldProps) {
  return (
    <AriaSearchField {...props} aria-label={label} className={classes["search"]}>
      <Search aria-hidden />
      <Input
        className={classes["input"]}
        placeholder={placeholder ?? label}
        {...(inputRef ? { ref: inputRef } : {})}
        {...(onPaste ? { onPaste } : {})}
      />
      <AriaButton className={`${classes["button"]} ${classes["quiet"]} ${classes["icon"]} ${classes["clear"]}`}>
        <X aria-hidden />
      </AriaButton>
    </AriaSearchField>
  );
}
