import { useRef } from "react";
import { Menu, Popover } from "react-aria-components";
import { create } from "zustand";
import floating from "./floating.module.css";
import { type MenuEntry, menuItems } from "./MenuButton.tsx";

interface OpenedMenu {
  readonly label: string;
  /** Position in the window, CSS pixels. */
  readonly x: number;
  readonly y: number;
  readonly entries: readonly (MenuEntry | null)[];
}

const useContextMenu = create<{ readonly open: OpenedMenu | null }>(() => ({ open: null }));

/** Opens a menu at a position of the window and moves the focus into it; closing it restores the focus. */
export function openContextMenu(open: OpenedMenu): void {
  useContextMenu.setState({ open });
}

/** The context menu of a window, at most one at a time. */
export function ContextMenu() {
  const open = useContextMenu((s) => s.open);
  return open ? <Opened key={`${open.x} ${open.y} ${open.label}`} {...open} /> : null;
}

function close(): void {
  useContextMenu.setState({ open: null });
}

function Opened({ label, x, y, entries }: OpenedMenu) {
  const anchor = useRef<HTMLSpanElement>(null);
  return (
    <>
      <span ref={anchor} className={floating["anchor"]} style={{ left: x, top: y }} />
      <Popover
        triggerRef={anchor}
        isOpen
        onOpenChange={(isOpen) => {
          if (!isOpen) close();
        }}
        placement="bottom start"
        offset={0}
        className={floating["popover"]}
      >
        <Menu aria-label={label} autoFocus="first" onClose={close} className={floating["list"]}>
          {menuItems(entries)}
        </Menu>
      </Popover>
    </>
  );
}
