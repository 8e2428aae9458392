import { useState } from "react";
import type { AppFault } from "#shared/fault.ts";
import { bridge } from "../../bridge/index.ts";
import { useAbout, useCapabilities } from "../../stores/capabilities.ts";
import { connectionName, useConnection } from "../../stores/connection.ts";
import { useWorkProgress } from "../../stores/work.ts";
import { Button } from "../../ui/Button.tsx";
import { FaultNote, Progress } from "../../ui/notes.tsx";
import { PageSection } from "../../ui/layout.tsx";
import classes from "./storage.module.css";

type State =
  | { readonly kind: "idle" }
  | { readonly kind: "busy"; readonly workId: string }
  | { readonly kind: "done"; readonly text: string; readonly isBad: boolean }
  | { readonly kind: "failed"; readonly fault: AppFault };

/** Shows the path of the cache file, and moves it. */
export function CacheLocation(props: { readonly connectionId: string; readonly path: string | null }) {
  const { connectionId, path } = props;
  const { fileDialogs } = useCapabilities();
  const warning = useAbout()?.folderWarning ?? null;
  const current = useConnection((s) => s.current);
  const [state, setState] = useState<State>({ kind: "idle" });

  const share = useWorkProgress(state.kind === "busy" ? state.workId : null);

  const move = async (): Promise<void> => {
    const suggestedName = path?.split(/[\\/]/).at(-1) ?? "cache.db";
    const chosen = await bridge.system.chooseSaveFile({ suggestedName, extensions: ["db"] });
    if (!chosen.ok) return setState({ kind: "failed", fault: chosen.error });
    if (chosen.value === null) return;
    const workId = crypto.randomUUID();
    setState({ kind: "busy", workId });
    const answer = await bridge.cache.move({ connectionId, path: chosen.value, workId });
    if (!answer.ok) return setState({ kind: "failed", fault: answer.error });
    const { oldLeftAt, warning: newWarning } = answer.value;
    const parts = ["The cache was moved and checked."];
    parts.push(oldLeftAt === null ? "The old file was deleted." : `The old file could not be deleted: ${oldLeftAt}.`);
    if (newWarning !== null) parts.push(newWarning);
    setState({ kind: "done", text: parts.join(" "), isBad: newWarning !== null });
  };

  return (
    <PageSection title="Location">
      <div className={classes["row"]}>
        <p className={classes["text"]}>
          <span className={classes["path"]}>{path ?? "…"}</span>
        </p>
        {fileDialogs ? (
          <Button isDisabled={state.kind === "busy" || path === null} onPress={() => void move()}>
            Move…
          </Button>
        ) : null}
      </div>
      <p className={classes["note"]}>
        {fileDialogs
          ? "Moving copies the file, checks the copy, and then deletes the old one; downloads pause. Avoid network shares, which can damage the file."
          : `Move it with the command line while this program is closed: zenith cache move <file> --connection "${current ? connectionName(current.info) : ""}".`}
      </p>
      {warning === null ? null : <p className={classes["warning"]}>{warning}</p>}
      {state.kind === "busy" ? (
        <Progress label="Moving" share={share} text="Copying the cache, then checking the copy." />
      ) : null}
      {state.kind === "failed" ? <FaultNote fault={state.fault} /> : null}
      <p role="status" className={classes["said"]} data-bad={(state.kind === "done" && state.isBad) || undefined}>
        {state.kind === "done" ? state.text : null}
      </p>
    </PageSection>
  );
}
