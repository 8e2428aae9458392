import type { KeyboardEvent, MouseEvent } from "react";

export interface MenuPlace {
  readonly x: number;
  readonly y: number;
}

interface ContextMenuProps {
  readonly onContextMenu: (event: MouseEvent<HTMLElement>) => void;
  /** Whether the key asked for the menu. */
  readonly onMenuKey: (event: KeyboardEvent<HTMLElement>) => boolean;
}

/**
 * Handlers that ask for a context menu by the right button, by Shift+F10 and by the menu key.
 *
 * @param open `target` is what was pressed, null by keyboard; returns whether there is a menu
 * @param focused where the menu of the keyboard belongs
 */
export function contextMenu(
  open: (target: Element | null, at: MenuPlace) => boolean,
  focused: (host: HTMLElement) => Element | null,
): ContextMenuProps {
  const openByKey = (host: HTMLElement): boolean => {
    const box = (focused(host) ?? host).getBoundingClientRect();
    return open(null, { x: box.left + Math.min(24, box.width / 2), y: Math.min(box.bottom, innerHeight - 8) });
  };
  return {
    onContextMenu(event) {
      const { currentTarget, target, clientX, clientY } = event;
      const isOpen = isByKeyboard(event)
        ? openByKey(currentTarget)
        : open(target instanceof Element ? target : null, { x: clientX, y: clientY });
      if (isOpen) event.preventDefault();
    },
    onMenuKey(event) {
      if (!isMenuKey(event) || !openByKey(event.currentTarget)) return false;
      event.preventDefault();
      return true;
    },
  };
}

/** Chromium sends a PointerEvent, whose type is empty where no pointer asked. */
function isByKeyboard({ nativeEvent }: MouseEvent): boolean {
  return nativeEvent instanceof PointerEvent ? nativeEvent.pointerType === "" : nativeEvent.button !== 2;
}

/** macOS makes no `contextmenu` event of these keys. */
function isMenuKey({ key, shiftKey, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey) return false;
  return key === "ContextMenu" || (key === "F10" && shiftKey);
}
