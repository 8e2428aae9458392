import { useState } from "react";
import type { AppFault } from "#shared/fault.ts";
import { useConnection } from "../../stores/connection.ts";
import { forgetDamage, useDamage } from "../../stores/damage.ts";
import { useWorkProgress } from "../../stores/workProgress.ts";
import { Button } from "../../ui/Button.tsx";
import { FaultNote, Progress } from "../../ui/notes.tsx";
import { PageSection } from "../../ui/Page.tsx";
import { rebuild, rebuiltText } from "./rebuild.ts";
import classes from "./storage.module.css";

/** Explains damage of the cache and rebuilds it from its intact data; nothing if there is no damage. */
export function Damage({ connectionId }: { readonly connectionId: string }) {
  const isDamaged = useDamage((s) => s.connectionIds.includes(connectionId));
  const quarantined = useConnection((s) => s.current?.quarantinedPath ?? null);
  const isFile = useConnection((s) => s.current?.info.kind === "file");
  const [workId, setWorkId] = useState<string | null>(null);
  const [message, setMessage] = useState<string | null>(null);
  const [fault, setFault] = useState<AppFault | null>(null);
  const share = useWorkProgress(workId);

  const startRebuild = async (): Promise<void> => {
    const id = crypto.randomUUID();
    setWorkId(id);
    const answer = await rebuild(connectionId, id);
    setWorkId(null);
    setFault(answer.ok ? null : answer.error);
    if (!answer.ok) return;
    forgetDamage(connectionId);
    setMessage(rebuiltText(answer.value));
  };

  const canRebuild = isDamaged || quarantined !== null || workId !== null;
  if (!canRebuild && message === null && fault === null) return null;
  return (
    <PageSection title="Damage">
      {canRebuild ? (
        <div className={classes["row"]}>
          <p className={classes["text"]}>
            {isDamaged || quarantined === null ? (
              "Part of this cache cannot be read. Rebuilding moves the file to quarantine and copies its intact data to a new one."
            ) : (
              <>
                This cache could not be opened. It was moved to quarantine as{" "}
                <span className={classes["path"]}>{quarantined}</span>, and a new one was created. The intact data of
                the old one can be copied.
              </>
            )}{" "}
            {isFile
              ? "Open your colleague’s file again to restore lost data."
              : "Lost data are marked “not downloaded” and can be fetched again."}
          </p>
          <Button look="primary" isPending={workId !== null} onPress={() => void startRebuild()}>
            Rebuild
          </Button>
        </div>
      ) : null}
      {workId === null ? null : <Progress label="Rebuilding" share={share} text="Copying intact rows." />}
      {fault ? <FaultNote fault={fault} /> : null}
      <p role="status" className={classes["said"]}>
        {message}
      </p>
    </PageSection>
  );
}
