import { type RefObject, useEffect, useRef, useLayoutEffect } from "react";

/** What stays in reach over any overlay. */
const MESSAGES = "[data-react-aria-top-layer]";

/**
 * Esc closes an overlay also while nothing in it has the focus: what had it may just have been removed, or a message
 * has it, and then the key reaches the page and not the overlay. Of several overlays only the uppermost is closed.
 * @returns to be set on the overlay, which carries `data-modal`
 */
export function useEscape(isOpen: boolean, onClose: () => void): RefObject<HTMLDivElement | null> {
  const overlay = useRef<HTMLDivElement>(null);
  const close = useRef(onClose);
  useEffect(() => {
    close.current = onClose;
  });
  useEffect(() => {
    if (!isOpen) return;
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== "Escape" || !(event.target instanceof Element)) return;
      if (event.target !== document.body && !event.target.closest(MESSAGES)) return;
      if (uppermostModal() === overlay.current) close.current();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [isOpen]);
  return overlay;
}

// Who presses a button that takes itself away (a row that is removed, a message that is closed) goes on from its
// neighbour: a page whose focus is nowhere is left with Tab from its very beginning.

const CONTROLS = "a[href],button,select,input,[tabindex]";
/** What writes, or has been taken out of the order of Tab, is not where a hand wants to be put. */
const NOT_FOR_ALL = "input:not([type=checkbox],[type=radio],[type=range]),[role=separator],[tabindex='-1'],:disabled";
const OVERLAYS = "[role=dialog],[role=menu],[data-trigger]";
/** Elements that had the focus, in overlays and outside, remembered until one of them is needed. */
const MOST_REMEMBERED = 12;

/** Where something was. */
interface Place {
  readonly parent: Element;
  readonly before: Element | null;
  readonly after: Element | null;
}

/**
 * Gives the focus to a neighbour when what has it leaves the page or is disabled, until the returned function is called. What was in a
 * dialog or menu that closes goes back to where it was opened from, as far as the dialog itself does not do that.
 */
export function keepFocus(): () => void {
  const had: Element[] = [];
  const places = new WeakMap<Element, Place>();
  /** The tab of the panel in which an element was. */
  const tabs = new WeakMap<Element, string>();

  const onFocus = ({ target }: FocusEvent): void => {
    if (!(target instanceof Element)) return;
    const at = had.indexOf(target);
    if (at >= 0) had.splice(at, 1);
    had.push(target);
    tabs.set(target, tabOf(target));
    // Each for itself: however much is done in dialogs, what is behind them is not forgotten.
    const alike = had.filter((element) => isInOverlay(element) === isInOverlay(target));
    if (alike.length > MOST_REMEMBERED) had.splice(had.indexOf(alike[0]!), 1);
  };
  /** The first that is still there, or a neighbour of the first that was no part of an overlay. */
  const goBack = (): void => {
    if (!isNowhere()) return;
    for (const last of had.toReversed()) {
      if (last.isConnected && isReachable(last)) return last.focus();
      const place = places.get(last);
      if (!last.isConnected && place?.parent.isConnected && !isOfClosedOverlay(last))
        return (otherTab(place.parent, tabs.get(last)) ?? neighbourOf(last, place) ?? dialogAbove())?.focus();
    }
  };
  const onChange = (changes: readonly MutationRecord[]): void => {
    const gone = had.filter((element) => !element.isConnected && !places.has(element));
    for (const element of gone) {
      const change = changes.findLast(
        (c) => c.target.isConnected && [...c.removedNodes].some((n) => n.contains(element)),
      );
      if (change) places.set(element, placeOf(change));
    }
    const last = had.at(-1);
    if (last?.isConnected) return leaveDisabled(last);
    if (!last || !isNowhere()) return;
    // A dialog that closes gives the focus back by itself, a frame later.
    if (isOfClosedOverlay(last)) requestAnimationFrame(() => requestAnimationFrame(goBack));
    else goBack();
  };

  const observer = new MutationObserver(onChange);
  observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ["disabled"] });
  document.addEventListener("focusin", onFocus);
  return () => {
    observer.disconnect();
    document.removeEventListener("focusin", onFocus);
  };
}

/** A control that is disabled under the focus has no use for keys. In a dialog Escape has, and Enter is not to cancel. */
function leaveDisabled(control: Element): void {
  const { parentElement: parent, previousElementSibling: before, nextElementSibling: after } = control;
  const hasFocus = isNowhere() || document.activeElement === control;
  if (!hasFocus || !parent || !control.matches(":disabled")) return;
  (control.closest<HTMLElement>("[role=dialog]") ?? neighbourOf(control, { parent, before, after }))?.focus();
}

function isNowhere(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}

function dialogAbove(): HTMLElement | null {
  return uppermostModal()?.querySelector<HTMLElement>("[role=dialog]") ?? null;
}

function isInOverlay(element: Element): boolean {
  return element.closest(OVERLAYS) !== null;
}

function isOfClosedOverlay(element: Element): boolean {
  return element.closest(OVERLAYS) !== null && !element.closest(OVERLAYS)!.isConnected;
}

function placeOf({ target, previousSibling, nextSibling }: MutationRecord): Place {
  return {
    parent: target as Element,
    before: elementAt(previousSibling, "before"),
    after: elementAt(nextSibling, "after"),
  };
}

function elementAt(node: Node | null, side: "before" | "after"): Element | null {
  for (let at = node; at; at = side === "before" ? at.previousSibling : at.nextSibling)
    if (at instanceof Element) return at;
  return null;
}

/** Under a dialog messages can still be pressed, but no hand that did not ask for them is to find itself there. */
function isReachable(element: Element): element is HTMLElement {
  return (
    element instanceof HTMLElement &&
    (uppermostModal()?.contains(element) ?? true) &&
    element.matches(CONTROLS) &&
    !element.matches(NOT_FOR_ALL) &&
    !element.closest("[inert]") &&
    element.checkVisibility({ visibilityProperty: true })
  );
}

function controlsIn(element: Element): HTMLElement[] {
  return [element, ...element.querySelectorAll(CONTROLS)].filter(isReachable);
}

/** What does to the next thing, or the one before, what was done to this one; else the nearest control there is. */
function neighbourOf(lost: Element, { parent, before, after }: Place): HTMLElement | null {
  // What has come in its place since, as the empty state of a list does, is nearer than what was around it.
  const instead = before?.isConnected && before.parentElement === parent ? before.nextElementSibling : null;
  const sides = [instead, after, before].filter(
    (side) => side !== null && side.isConnected && side.parentElement === parent,
  );
  for (const side of sides) {
    const controls = controlsIn(side!);
    const found = controls.find((control) => isAlike(control, lost)) ?? controls[0];
    if (found) return found;
  }
  for (
    let around: Element | null = parent, at = after;
    around;
    at = around.nextElementSibling, around = around.parentElement
  ) {
    const controls = controlsIn(around).filter((control) => control !== around);
    const next = controls.find((c) => at && (at === c || at.contains(c) || follows(c, at)));
    const found = next ?? controls.at(-1);
    if (found) return found;
    if (around.matches("[role=dialog]")) return around as HTMLElement;
  }
  return null;
}

/** The id of the tab whose panel an element is in; empty where it is in none. */
function tabOf(element: Element): string {
  return element.closest("[role=tabpanel]")?.getAttribute("aria-labelledby") ?? "";
}

/** Where the panel shows another tab than before, there is no neighbour in it: the tab that was chosen. */
function otherTab(place: Element, before = ""): HTMLElement | null {
  const tablist = document.getElementById(before)?.closest("[role=tablist]");
  return tabOf(place) === before ? null : (tablist?.querySelector<HTMLElement>("[aria-selected=true]") ?? null);
}

function follows(element: Element, other: Element): boolean {
  return (other.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
}

/** "Close a.nc" and "Close b.nc" do the same. */
function isAlike(a: Element, b: Element): boolean {
  return a.tagName === b.tagName && verbOf(a) === verbOf(b);
}

function verbOf(element: Element): string {
  return (element.getAttribute("aria-label") ?? element.textContent).trim().split(" ")[0]!;
}

/** The overlay that all keys are meant for: of those over the window the one that was opened last. */
export function uppermostModal(): Element | null {
  return [...document.querySelectorAll("[data-modal]")].at(-1) ?? null;
}

/** What closes around the focus leaves it where it is opened from: at the button with this id. */
export function useFocusGivenBack(pane: RefObject<HTMLElement | null>, buttonId: string): void {
  useLayoutEffect(() => {
    const section = pane.current;
    return () => {
      if (section?.contains(document.activeElement)) document.getElementById(buttonId)?.focus();
    };
  }, [pane, buttonId]);
}
