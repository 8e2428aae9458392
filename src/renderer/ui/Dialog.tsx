import {
  createContext,
  type FocusEvent,
  type ReactNode,
  type RefObject,
  Suspense,
  useContext,
  useEffect,
  useRef,
  useState,
} from "react";
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from "react-aria-components";
import { closeDialog, type DialogKind, type DialogOf, useDialog } from "../stores/dialogs.ts";
import { Button } from "./Button.tsx";
import { InputScope } from "./InputScope.tsx";
import classes from "./floating.module.css";
import { topmostModal } from "./keepFocus.ts";

interface DialogProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
  readonly wide?: boolean;
}

/** A modal dialog. Esc and a click outside close it, but not at once while something typed would be lost. */
export function Dialog({ title, isOpen, onClose, children, wide = false }: DialogProps) {
  const { isAsked, leave, ...events } = useTyped(isOpen, onClose);
  return (
    <Overlay isOpen={isOpen} onClose={leave} modal={`${classes["modal"]} ${wide ? classes["wide"] : ""}`}>
      {/* Not the modal itself scrolls: the scroll bar would cover its round corners. */}
      <div className="relative flex-1 min-w-0 overflow-auto" {...events}>
        <AriaDialog className={classes["dialog"]}>
          <Heading slot="title" className={classes["title"]}>
            {title}
          </Heading>
          {isAsked ? (
            <p role="alert" className="absolute top-4 right-6 text-quiet">
              Press Esc again to discard what you typed.
            </p>
          ) : null}
          <CloseContext value={onClose}>
            <InputScope>
              {/* Forms that are seldom used are loaded when they are opened first. */}
              <Suspense fallback={<p role="status">Opening the dialog…</p>}>{children}</Suspense>
            </InputScope>
          </CloseContext>
        </AriaDialog>
      </div>
    </Overlay>
  );
}

const CloseContext = createContext<() => void>(() => {});

/** Returns a function that closes the dialog around at once. */
export function useClose(): () => void {
  return useContext(CloseContext);
}

/** The button that closes the dialog around. */
export function CloseButton({ children = "Cancel" }: { readonly children?: string | undefined }) {
  return <Button onPress={useClose()}>{children}</Button>;
}

/** A number is soon typed again. */
const TEXT_FIELDS = "input:is([type=text], [type=url], [type=password]):not([role=combobox], [inputmode]), textarea";

/** Keeps a dialog open the first time that it is left with text that was typed into one of its fields. */
function useTyped(isOpen: boolean, onClose: () => void) {
  /** Fields that had the focus, with their text before. */
  const before = useRef(new Map<HTMLInputElement, string>());
  const [isAsked, setAsked] = useState(false);
  useEffect(() => {
    before.current.clear();
    setAsked(false);
  }, [isOpen]);
  return {
    isAsked,
    leave(): void {
      const isTyped = [...before.current].some(([field, text]) => field.isConnected && field.value !== text);
      if (isTyped && !isAsked) setAsked(true);
      else onClose();
    },
    onFocusCapture({ target }: FocusEvent<HTMLElement>): void {
      const field = target as HTMLInputElement;
      if (field.matches(TEXT_FIELDS) && !before.current.has(field)) before.current.set(field, field.value);
    },
    onInput: () => setAsked(false),
  };
}

interface WindowDialogProps<K extends DialogKind> {
  readonly kind: K;
  readonly title: string | ((dialog: DialogOf<K>) => string);
  readonly children: (dialog: DialogOf<K>) => ReactNode;
  readonly wide?: boolean;
}

/** The dialog of a kind, which `openDialog` opens. */
export function WindowDialog<K extends DialogKind>({ kind, title, children, wide = false }: WindowDialogProps<K>) {
  const dialog = useDialog(kind);
  const shownTitle = typeof title === "string" ? title : dialog === null ? "" : title(dialog);
  return (
    <Dialog title={shownTitle} isOpen={dialog !== null} onClose={() => closeDialog(kind)} wide={wide}>
      {dialog === null ? null : children(dialog)}
    </Dialog>
  );
}

interface OverlayProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** Classes of the background and of the box on it. */
  readonly scrim?: string;
  readonly modal: string;
  readonly children: ReactNode;
}

/** A box over the window, which Esc and a click outside close, even if nothing in it has the focus. */
export function Overlay({ isOpen, onClose, scrim = classes["scrim"], modal, children }: OverlayProps) {
  const overlay = useEscape(isOpen, onClose);
  return (
    <ModalOverlay
      ref={overlay}
      className={scrim}
      // Keyboard shortcuts do not reach the window below.
      data-modal
      isOpen={isOpen}
      isDismissable
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
    >
      <Modal className={modal}>{children}</Modal>
    </ModalOverlay>
  );
}

/** The buttons at the bottom of a dialog, the main action last. */
export function DialogActions({ children }: { readonly children: ReactNode }) {
  return <div className={classes["actions"]}>{children}</div>;
}

/** Messages, which stay accessible above any overlay. */
const MESSAGES = "[data-react-aria-top-layer]";

/**
 * Closes an overlay on Esc even if nothing in it has the focus: the focused element may just have been removed, or a
 * message may have the focus, so that the overlay does not receive the key. Only the topmost overlay closes.
 * @returns a ref for the overlay, which must have `data-modal`
 */
function useEscape(isOpen: boolean, onClose: () => void): RefObject<HTMLDivElement | null> {
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
      if (topmostModal() === overlay.current) close.current();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [isOpen]);
  return overlay;
}
