import type { ReactNode } from "react";
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from "react-aria-components";
import classes from "./floating.module.css";
import { useEscape } from "./keepFocus.ts";

interface DialogProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
  readonly wide?: boolean;
}

/** A modal dialog. Esc and a click outside close it. */
export function Dialog({ title, isOpen, onClose, children, wide = false }: DialogProps) {
  const overlay = useEscape(isOpen, onClose);
  return (
    <ModalOverlay
      ref={overlay}
      className={classes["scrim"]}
      // Keyboard shortcuts do not reach the window below.
      data-modal
      isOpen={isOpen}
      isDismissable
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
    >
      <Modal className={`${classes["modal"]} ${wide ? classes["wide"] : ""}`}>
        <AriaDialog className={classes["dialog"]}>
          <Heading slot="title" className={classes["title"]}>
            {title}
          </Heading>
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

/** The buttons at the bottom of a dialog, the main action last. */
export function DialogActions({ children }: { readonly children: ReactNode }) {
  return <div className={classes["actions"]}>{children}</div>;
}
