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

/** Lists damaged files of this cache in quarantine, to copy their rows or delete them; nothing if there are none. */
export function Quarantine({ connectionId }: { readonly connectionId: string }) {
  const [files, setFiles] = useState<readonly QuarantinedFile[]>([]);
  const [busyWith, setBusyWith] = useState<string | null>(null);
  const [message, setMessage] = useState<string | null>(null);
  const [fault, setFault] = useState<AppFault | null>(null);

  const load = useCallback(async (): Promise<void> => {
    const answer = await bridge.cache.quarantine({ connectionId });
    if (answer.ok) setFiles(answer.value);
  }, [connectionId]);
  useEffect(() => {
    void load();
    return bridge.on("cacheChanged", (change) => {
      if (change.connectionId === connectionId) void load();
    });
  }, [connectionId, load]);

  const adopt = async (name: string): Promise<void> => {
    setBusyWith(name);
    const answer = await bridge.cache.adoptQuarantined({ connectionId, name });
    setBusyWith(null);
    setFault(answer.ok ? null : answer.error);
    if (answer.ok) setMessage(`${many(answer.value.rows, "row")} copied. You can delete the file.`);
  };
  const remove = async (name: string): Promise<void> => {
    const answer = await bridge.cache.deleteQuarantined({ connectionId, name });
    setFault(answer.ok ? null : answer.error);
    await load();
  };

  if (files.length === 0 && message === null && fault === null) return null;
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
        {message}
      </p>
    </PageSection>
  );
}
