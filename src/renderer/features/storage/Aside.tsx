import { useCallback, useEffect, useState } from "react";
import type { QuarantinedFile } from "#shared/bridge/methods/cache.ts";
import type { AppFault } from "#shared/fault.ts";
import { formatUtcShort } from "#shared/time/utc.ts";
import { bridge } from "../../bridge/index.ts";
import { Button } from "../../ui/Button.tsx";
import { FaultNote } from "../../ui/notes.tsx";
import { PageSection } from "../../ui/Page.tsx";
import { bytes, many } from "../../ui/text.ts";
import classes from "./storage.module.css";

/** Damaged files that were put aside for this cache; nothing where there is none. */
export function Aside({ connectionId }: { readonly connectionId: string }) {
  const [files, setFiles] = useState<readonly QuarantinedFile[]>([]);
  const [busyWith, setBusyWith] = useState<string | null>(null);
  const [said, setSaid] = useState<string | null>(null);
  const [fault, setFault] = useState<AppFault | null>(null);

  const look = useCallback(async (): Promise<void> => {
    const answer = await bridge.cache.quarantine({ connectionId });
    if (answer.ok) setFiles(answer.value);
  }, [connectionId]);
  useEffect(() => {
    void look();
    return bridge.on("cacheChanged", (change) => {
      if (change.connectionId === connectionId) void look();
    });
  }, [connectionId, look]);

  const adopt = async (name: string): Promise<void> => {
    setBusyWith(name);
    const answer = await bridge.cache.adoptQuarantined({ connectionId, name });
    setBusyWith(null);
    setFault(answer.ok ? null : answer.error);
    if (answer.ok) setSaid(`${many(answer.value.rows, "row")} copied. The file may be deleted.`);
  };
  const remove = async (name: string): Promise<void> => {
    const answer = await bridge.cache.deleteQuarantined({ connectionId, name });
    setFault(answer.ok ? null : answer.error);
    await look();
  };

  if (files.length === 0 && said === null && fault === null) return null;
  return (
    <PageSection title="Quarantine">
      {files.map(({ name, path, bytes: size, atMs }) => (
        <div key={name} className={classes["row"]}>
          <p className={classes["text"]}>
            A damaged file of {formatUtcShort(atMs)}, {bytes(size)}: <span className={classes["path"]}>{path}</span>
          </p>
          <Button isPending={busyWith === name} isDisabled={busyWith !== null} onPress={() => void adopt(name)}>
            Adopt
          </Button>
          <Button isDisabled={busyWith !== null} onPress={() => void remove(name)}>
            Delete
          </Button>
        </div>
      ))}
      {fault ? <FaultNote fault={fault} /> : null}
      <p role="status" className={classes["said"]}>
        {said}
      </p>
    </PageSection>
  );
}
