import { type RefObject, useLayoutEffect } from "react";
import { onRegionFocus } from "./regions.ts";
import { followViews } from "./viewFocus.ts";

// After a button that removes itself (deletes its row, closes its message), the focus moves to a neighbour, so that the
// next row can be deleted with the same key and screen readers name where the focus is.

const CONTROLS = "a[href],button,select,input,[tabindex]";
/** Controls that are never a neighbour: text fields, and controls outside of the tab order. */
const EXCLUDED = "input:not([type=checkbox],[type=radio],[type=range]),[role=separator],[tabindex='-1']";
/** What closes over the rest of the window; `data-message` is a message at its edge. */
const OVERLAYS = "[role=dialog],[role=menu],[data-trigger],[data-message]";
/** Elements remembered that had the focus, in overlays and outside. */
const MAX_REMEMBERED = 12;

/** Where an element was before it was removed. */
interface FormerPosition {
  readonly parent: Element;
  readonly before: Element | null;
  readonly after: Element | null;
}

/**
 * Moves the focus to a neighbour when the focused element is removed or disabled, until the returned function is called.
 * When a dialog, menu or message closes, the focus returns to the element that had it before, unless the dialog itself does
 * that.
 * When another view replaces the one with the focus, the focus moves into that view.
 */
export function keepFocus(): () => void {
  /** Elements that had the focus, the latest last. */
  const history: Element[] = [];
  const positions = new WeakMap<Element, FormerPosition>();
  const views = followViews();

  // A dialog that is higher than the window does not scroll by itself to the control that it focuses first, nor when
  // its content arrives and moves that control. From the first action of the user on, it scrolls as the user does.
  let inDialog: Element | null = null;
  const showInDialog = (): void => inDialog?.scrollIntoView({ block: "nearest" });
  const onAction = (): void => {
    inDialog = null;
  };
  const onFocus = ({ target, relatedTarget }: FocusEvent): void => {
    if (!(target instanceof Element)) return;
    inDialog = target.closest("[data-modal]") ? target : null;
    showInDialog();
    const at = history.indexOf(target);
    if (at >= 0) history.splice(at, 1);
    history.push(target);
    views.onFocus(target);
    if (target instanceof HTMLElement) onRegionFocus(target, relatedTarget);
    // Overlays and the page below have separate limits, so that long work in a dialog does not displace the page.
    const [oldest, ...others] = history.filter((element) => isInOverlay(element) === isInOverlay(target));
    if (oldest && others.length >= MAX_REMEMBERED) history.splice(history.indexOf(oldest), 1);
  };
  /** Focuses the latest element that still exists, or a neighbour of the latest one that was not in an overlay. */
  const restore = (): void => {
    if (!isFocusLost()) return;
    for (const last of history.toReversed()) {
      if (last.isConnected && isReachable(last)) return last.focus();
      const former = positions.get(last);
      if (!last.isConnected && former?.parent.isConnected && !isInClosedOverlay(last))
        return (views.enter(last) ?? neighbourOf(last, former) ?? topmostDialog())?.focus();
    }
  };
  const onChange = (changes: readonly MutationRecord[]): void => {
    const removed = history.filter((element) => !element.isConnected && !positions.has(element));
    for (const element of removed) {
      const change = changes.findLast(
        (c) => c.target.isConnected && [...c.removedNodes].some((n) => n.contains(element)),
      );
      if (change) positions.set(element, formerPosition(change));
    }
    views.onChange();
    showInDialog();
    const last = history.at(-1);
    if (last?.isConnected) return leaveDisabled(last);
    if (!last || !isFocusLost()) return;
    // A closing dialog restores the focus itself, one frame later.
    if (isInClosedOverlay(last)) requestAnimationFrame(() => requestAnimationFrame(restore));
    else restore();
  };

  const observer = new MutationObserver(onChange);
  observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ["disabled"] });
  const stop = new AbortController();
  document.addEventListener("focusin", onFocus, stop);
  for (const action of ["wheel", "pointerdown", "keydown"])
    addEventListener(action, onAction, { capture: true, signal: stop.signal });
  return () => {
    observer.disconnect();
    stop.abort();
    views.stop();
  };
}

/**
 * Moves the focus from a control that was disabled: to the dialog around it, where Esc still works and Enter does not press
 * Cancel, else to a neighbour.
 */
function leaveDisabled(control: Element): void {
  const { parentElement: parent, previousElementSibling: before, nextElementSibling: after } = control;
  const hasFocus = isFocusLost() || document.activeElement === control;
  if (!hasFocus || !parent || !control.matches(":disabled")) return;
  (control.closest<HTMLElement>("[role=dialog]") ?? neighbourOf(control, { parent, before, after }))?.focus();
}

function isFocusLost(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}

function topmostDialog(): HTMLElement | null {
  return topmostModal()?.querySelector<HTMLElement>("[role=dialog]") ?? null;
}

function isInOverlay(element: Element): boolean {
  return element.closest(OVERLAYS) !== null;
}

function isInClosedOverlay(element: Element): boolean {
  return element.closest(OVERLAYS)?.isConnected === false;
}

function formerPosition({ target, previousSibling, nextSibling }: MutationRecord): FormerPosition {
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

/** Messages below a dialog can be clicked, but the focus never moves there by itself. */
function isReachable(element: Element): element is HTMLElement {
  return (
    element instanceof HTMLElement &&
    (topmostModal()?.contains(element) ?? true) &&
    element.matches(CONTROLS) &&
    !element.matches(":disabled") &&
    !element.closest("[inert]") &&
    element.checkVisibility({ visibilityProperty: true })
  );
}

function controlsIn(element: Element): HTMLElement[] {
  return [element, ...element.querySelectorAll(CONTROLS)].filter(
    (control): control is HTMLElement => isReachable(control) && !control.matches(EXCLUDED),
  );
}

/** Returns the control with the same action in the next or previous row, else the nearest control. */
function neighbourOf(lost: Element, { parent, before, after }: FormerPosition): HTMLElement | null {
  // A replacement, such as the empty state of a list, comes first.
  const replacement = before?.isConnected && before.parentElement === parent ? before.nextElementSibling : null;
  for (const side of [replacement, after, before]) {
    if (!side?.isConnected || side.parentElement !== parent) continue;
    const controls = controlsIn(side);
    const found = controls.find((control) => isAlike(control, lost)) ?? controls[0];
    if (found) return found;
  }
  for (
    let around: Element | null = parent, at = after;
    around;
    at = around.nextElementSibling, around = around.parentElement
  ) {
    const controls = controlsIn(around).filter((control) => control !== around);
    const next = controls.find((c) => at && (at === c || at.contains(c) || isAfter(c, at)));
    const found = next ?? controls.at(-1);
    if (found) return found;
    if (around.matches("[role=dialog]")) return around as HTMLElement;
  }
  return null;
}

function isAfter(element: Element, other: Element): boolean {
  return (other.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
}

/** Whether two controls have the same action, such as "Close a.nc" and "Close b.nc". */
function isAlike(a: Element, b: Element): boolean {
  return a.tagName === b.tagName && verbOf(a) === verbOf(b);
}

function verbOf(element: Element): string {
  return /^\S*/.exec((element.getAttribute("aria-label") ?? element.textContent).trim())?.[0] ?? "";
}

/** Returns the overlay that receives all keys: the one that was opened last. */
export function topmostModal(): Element | null {
  return [...document.querySelectorAll("[data-modal]")].at(-1) ?? null;
}

/** When a pane that contains the focus closes, moves the focus to the button that opens it. */
export function useReturnFocus(pane: RefObject<HTMLElement | null>, buttonId: string): void {
  useLayoutEffect(() => {
    const section = pane.current;
    return () => {
      if (section?.contains(document.activeElement)) document.getElementById(buttonId)?.focus();
    };
  }, [pane, buttonId]);
}
