import { type KeyboardEvent, type MouseEvent } from "react";
import { Menu } from "react-aria-components";
import { create } from "zustand";
import { PopoverAt } from "./PopoverAt.tsx";
import { type MenuEntries, menuItems } from "./MenuButton.tsx";
import floating from "./floating.module.css";

/** Position in the window, CSS pixels. */
export interface MenuPosition {
  readonly x: number;
  readonly y: number;
}

/**
 * Returns handlers that open a context menu by right click, Shift+F10 and the menu key.
 *
 * @param open `target` is the clicked element, null for the keyboard; returns whether there is a menu
 * @param focused returns the element at which the keyboard opens the menu
 */
export function contextMenuHandlers(
  open: (target: Element | null, at: MenuPosition) => boolean,
  focused: (host: HTMLElement) => Element | null,
) {
  const openByKey = (host: HTMLElement): boolean => {
    const box = (focused(host) ?? host).getBoundingClientRect();
    return open(null, { x: box.left + Math.min(24, box.width / 2), y: Math.min(box.bottom, innerHeight - 8) });
  };
  return {
    onContextMenu(event: MouseEvent<HTMLElement>): void {
      const { currentTarget, target, clientX, clientY } = event;
      const isOpen = isByKeyboard(event)
        ? openByKey(currentTarget)
        : open(target instanceof Element ? target : null, { x: clientX, y: clientY });
      if (isOpen) event.preventDefault();
    },
    /** Returns whether the key opened the menu. */
    onMenuKey(event: KeyboardEvent<HTMLElement>): boolean {
      if (!isMenuKey(event) || !openByKey(event.currentTarget)) return false;
      event.preventDefault();
      return true;
    },
  };
}

/** Chromium sends a PointerEvent, whose `pointerType` is empty for the keyboard. */
function isByKeyboard({ nativeEvent }: MouseEvent): boolean {
  return nativeEvent instanceof PointerEvent ? nativeEvent.pointerType === "" : nativeEvent.button !== 2;
}

/** macOS sends no `contextmenu` event for these keys. */
function isMenuKey({ key, shiftKey, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey) return false;
  return key === "ContextMenu" || (key === "F10" && shiftKey);
}

interface OpenedMenu {
  readonly label: string;
  /** Position in the window, CSS pixels. */
  readonly x: number;
  readonly y: number;
  readonly entries: MenuEntries;
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

function closeMenu(): void {
  useContextMenu.setState({ open: null });
}

function Opened({ label, x, y, entries }: OpenedMenu) {
  return (
    <PopoverAt x={x} y={y} onClose={closeMenu} placement="bottom start" offset={0}>
      <Menu aria-label={label} autoFocus="first" onClose={closeMenu} className={floating["list"]}>
        {menuItems(entries)}
      </Menu>
    </PopoverAt>
  );
}
