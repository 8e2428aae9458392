import { Check } from "lucide-react";
import type { ReactNode } from "react";
import { Menu, MenuItem, MenuTrigger, Popover } from "react-aria-components";
import type { Choice } from "./choices.tsx";
import classes from "./floating.module.css";

interface MultiSelectMenuProps<Value extends string> {
  /** A button from this folder. */
  readonly button: ReactNode;
  readonly label: string;
  readonly choices: readonly Choice<Value>[];
  readonly values: readonly Value[];
  /** Called with at least one value. */
  readonly onChange: (values: readonly Value[]) => void;
}

/** A menu in which several values can be selected; it stays open while the user selects. */
export function MultiSelectMenu<Value extends string>(props: MultiSelectMenuProps<Value>) {
  const { button, label, choices, values, onChange } = props;
  return (
    <MenuTrigger>
      {button}
      <Popover className={classes["popover"]} offset={4} placement="bottom end">
        <Menu
          aria-label={label}
          className={classes["list"]}
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
            <MenuItem key={value} id={value} textValue={text} className={classes["item"]}>
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
