import { useState } from "react";
import type { RebuiltCache } from "#shared/bridge/methods/cache.ts";
import type { AppFault } from "#shared/fault.ts";
import type { Result } from "#shared/service/error.ts";
import { formatUtcShort } from "#shared/time/utc.ts";
import { quarantineOf } from "../../ask/questions.ts";
import { useAskHere } from "../../ask/useAsk.ts";
import { useCall } from "../../ask/useCall.ts";
import { bridge } from "../../bridge/index.ts";
import { reopenConnection, useConnection, useIsFile, useConnectionId } from "../../stores/connection.ts";
import { forgetDamage, useDamage } from "../../stores/damage.ts";
import { Button } from "../../ui/Button.tsx";
import { Progress } from "../../ui/notes.tsx";
import { PageSection, TextRow } from "../../ui/layout.tsx";
import { bytes, count, many } from "../../ui/text.ts";
import { Outcome } from "./Outcome.tsx";

/** Moves a damaged cache to quarantine, creates a new one with its intact data, and reopens the connection. */
async function rebuild(connectionId: string, workId: string): Promise<Result<RebuiltCache, AppFault>> {
  const answer = await bridge.cache.rebuild({ connectionId, workId });
  if (answer.ok) await reopenConnection();
  return answer;
}

/** Describes the result of a rebuild. */
export function rebuiltText({ quarantinedPath, rows, lostRows }: RebuiltCache): string {
  if (quarantinedPath === null) return "The cache was reopened and is intact.";
  if (rows === 0)
    return `Nothing in the damaged file could be read. A new cache was created. Fetch the data you need again. The damaged file is at ${quarantinedPath}.`;
  const lost =
    lostRows === null
      ? "The number of lost rows is unknown."
      : lostRows === 0
        ? "No rows were lost."
        : `${many(lostRows, "row")} could not be read; they are marked “not downloaded” and can be fetched again.`;
  return `A new cache was created with ${count(rows)} intact rows of the damaged one. ${lost} The damaged file is at ${quarantinedPath} and can be deleted.`;
}

/** Explains damage of the cache and rebuilds it from its intact data; nothing if there is no damage. */
export function Damage() {
  const connectionId = useConnectionId();
  const isDamaged = useDamage((s) => s.connectionIds.includes(connectionId));
  const quarantined = useConnection((s) => s.current?.quarantinedPath ?? null);
  const isFile = useIsFile();
  const [message, setMessage] = useState<string | null>(null);
  const { isBusy, share, fault, run } = useCall();

  const startRebuild = async (): Promise<void> => {
    const answer = await run(({ workId }) => rebuild(connectionId, workId));
    if (!answer.ok) return;
    forgetDamage(connectionId);
    setMessage(rebuiltText(answer.value));
  };

  const canRebuild = isDamaged || quarantined !== null || isBusy;
  if (!canRebuild && message === null && fault === null) return null;
  return (
    <PageSection title="Damage">
      {canRebuild ? (
        <TextRow
          text={
            <>
              {isDamaged || quarantined === null ? (
                "Part of this cache cannot be read. Rebuilding moves the file to quarantine and copies its intact data to a new one."
              ) : (
                <>
                  This cache could not be opened. It was moved to quarantine as{" "}
                  <span className="wrap-anywhere select-text">{quarantined}</span>, and a new one was created. The
                  intact data of the old one can be copied.
                </>
              )}{" "}
              {isFile
                ? "Open your colleague’s file again to restore lost data."
                : "Lost data are marked “not downloaded” and can be fetched again."}
            </>
          }
        >
          <Button look="primary" isPending={isBusy} onPress={() => void startRebuild()}>
            Rebuild
          </Button>
        </TextRow>
      ) : null}
      {isBusy ? <Progress label="Rebuilding" share={share} text="Copying intact rows." /> : null}
      <Outcome fault={fault} text={message} />
    </PageSection>
  );
}

/** Lists damaged files of this cache in quarantine, to copy their rows or delete them; nothing if there are none. */
export function Quarantine() {
  const connectionId = useConnectionId();
  const asked = useAskHere(quarantineOf, {}, { delayMs: 0 });
  const files = asked.value ?? [];
  const [busyWith, setBusyWith] = useState<string | null>(null);
  const [message, setMessage] = useState<string | null>(null);
  const { isBusy, fault, run } = useCall();

  const adopt = async (name: string): Promise<void> => {
    setBusyWith(name);
    const answer = await run(() => bridge.cache.adoptQuarantined({ connectionId, name }));
    if (answer.ok) setMessage(`${many(answer.value.rows, "row")} copied. You can delete the file.`);
  };
  const remove = async (name: string): Promise<void> => {
    setBusyWith(null);
    await run(() => bridge.cache.deleteQuarantined({ connectionId, name }));
    asked.again();
  };

  if (files.length === 0 && message === null && fault === null) return null;
  return (
    <PageSection title="Quarantine">
      {files.map(({ name, path, bytes: size, atMs }) => (
        <TextRow
          key={name}
          text={
            <>
              A damaged file of {formatUtcShort(atMs)}, {bytes(size)}:{" "}
              <span className="wrap-anywhere select-text">{path}</span>
            </>
          }
        >
          <Button isPending={isBusy && busyWith === name} isDisabled={isBusy} onPress={() => void adopt(name)}>
            Adopt
          </Button>
          <Button isDisabled={isBusy} onPress={() => void remove(name)}>
            Delete
          </Button>
        </TextRow>
      ))}
      <Outcome fault={fault} text={message} />
    </PageSection>
  );
}
