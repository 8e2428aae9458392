import { useShare } from "../../stores/share.ts";
import { Button } from "../../ui/Button.tsx";
import { DialogActions } from "../../ui/Dialog.tsx";
import { Progress } from "../../ui/notes.tsx";
import type { ViewsDialog } from "./store.ts";

/** A session with data on its way in. */
export function Opening({ dialog }: { readonly dialog: Extract<ViewsDialog, { kind: "opening" }> }) {
  const share = useShare(dialog.workId);
  return (
    <>
      <Progress label="Opening" share={share} text={`Reading ${dialog.name} and checking every row.`} />
      <DialogActions>
        <Button autoFocus onPress={dialog.stop}>
          Stop
        </Button>
      </DialogActions>
    </>
  );
}
