import { Check } from "lucide-react";
import type { ReactNode } from "react";
import { Menu, MenuItem, MenuTrigger, Popover } from "react-aria-components";
import type { Choice } from "./choices.tsx";
import classes from "./floating.module.css";

interface TickMenuProps<Value extends string> {
  /** A button of this kit. */
  readonly button: ReactNode;
  readonly label: string;
  readonly choices: readonly Choice<Value>[];
  readonly values: readonly Value[];
  /** At least one value is left. */
  readonly onChange: (values: readonly Value[]) => void;
}

/** Several of a list that drops from a button; it stays open while ticking. */
export function TickMenu<Value extends string>({ button, label, choices, values, onChange }: TickMenuProps<Value>) {
  return (
    <MenuTrigger>
      {button}
      <Popover className={classes["popover"]!} offset={4} placement="bottom end">
        <Menu
          aria-label={label}
          className={classes["list"]!}
          selectionMode="multiple"
          disallowEmptySelection
          shouldCloseOnSelect={false}
          selectedKeys={values}
          disabledKeys={choices.filter((c) => c.isFixed).map((c) => c.value)}
          onSelectionChange={(keys) =>
            onChange(choices.map((c) => c.value).filter((value) => keys === "all" || keys.has(value)))
          }
        >
          {choices.map(({ value, label: text, detail }) => (
            <MenuItem key={value} id={value} textValue={text} className={classes["item"]!}>
              <Check aria-hidden className={classes["tick"]} />
              <span>{text}</span>
              {detail ? <span className={classes["end"]}>{detail}</span> : null}
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
