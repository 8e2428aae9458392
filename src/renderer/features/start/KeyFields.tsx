import { isPlainHttp } from "#shared/service/plainHttp.ts";
import { useCapabilities } from "../../stores/capabilities.ts";
import { Checkbox, Switch } from "../../ui/choices.tsx";
import { TextField } from "../../ui/fields.tsx";
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
        <div>
          <Checkbox isSelected={way.allowsPlainHttp} onChange={way.onAllowPlainHttp}>
            Send the key unencrypted
          </Checkbox>
          <p className={classes["hint"]}>
            The address begins with http://: anyone on the network path can read it. Use https:// if the service has it.
          </p>
        </div>
      ) : null}
      {keys === "session" ? (
        <p className={classes["hint"]}>
          This system has no protected storage for keys. The key is kept until the program ends; enter it again after
          the next start.
        </p>
      ) : (
        <div>
          <Switch isSelected={remember} onChange={onRemember}>
            Remember the key
          </Switch>
          <p className={classes["hint"]}>
            {remember ? KEY_STORAGE[keys] : "Kept until the program ends; enter it again after the next start."}
          </p>
        </div>
      )}
    </>
  );
}
