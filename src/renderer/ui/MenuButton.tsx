import type { ReactNode } from "react";
import { Menu, MenuItem, MenuTrigger, Popover, Separator } from "react-aria-components";
import classes from "./floating.module.css";

export interface MenuEntry {
  readonly id: string;
  readonly label: ReactNode;
  /** Text for type-ahead and screen readers if the label is not plain text. */
  readonly text?: string;
  readonly detail?: string;
  readonly isDisabled?: boolean;
  readonly onAction: () => void;
}

/** `null` is a separator; `false` is an entry that does not apply now. */
export type MenuEntries = readonly (MenuEntry | null | false)[];

interface MenuButtonProps {
  readonly button: ReactNode;
  readonly label: string;
  readonly entries: MenuEntries;
}

/** A menu below a button from this folder. */
export function MenuButton({ button, entries, label }: MenuButtonProps) {
  return (
    <MenuTrigger>
      {button}
      <Popover className={classes["popover"]} offset={4}>
        <Menu aria-label={label} className={classes["list"]}>
          {menuItems(entries)}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}

export function menuItems(entries: MenuEntries): ReactNode {
  return entries.map((entry, i) => {
    if (entry === false) return null;
    // The order never changes while the menu is open, so the index can be the key.
    if (entry === null) return <Separator key={`line-${i}`} className={classes["separator"]} />;
    return (
      <MenuItem
        key={entry.id}
        id={entry.id}
        textValue={entry.text ?? (typeof entry.label === "string" ? entry.label : entry.id)}
        isDisabled={entry.isDisabled ?? false}
        onAction={entry.onAction}
        className={classes["item"]}
      >
        {entry.label}
        {entry.detail ? <span className={classes["end"]}>{entry.detail}</span> : null}
      </MenuItem>
    );
  });
}
