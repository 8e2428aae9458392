import { useState } from "react";
import type { UserBackup } from "#shared/bridge/methods/system.ts";
import { useCall } from "../../ask/useCall.ts";
import { bridge } from "../../bridge/index.ts";
import { Button } from "../../ui/Button.tsx";
import { FaultNote } from "../../ui/notes.tsx";
import { ago, utcMinutes } from "../../ui/text.ts";
import classes from "./recovery.module.css";
import { type KnownRecovery, REASONS, contentsText } from "./store.ts";

/** Shown instead of the window if user.db cannot be opened: restores a backup, or starts with an empty file. */
export function Recovery({ recovery }: { readonly recovery: KnownRecovery }) {
  const { reason, path, backups } = recovery;
  const [busyWith, setBusyWith] = useState<string | null>(null);
  const { fault, run } = useCall();
  const restore = async (backup: string | null): Promise<void> => {
    setBusyWith(backup ?? "");
    // On success the core notifies all windows, and they reload.
    await run(() => bridge.recovery.restore({ backup }));
    setBusyWith(null);
  };
  return (
    <main data-view="recovery" className="h-full overflow-auto bg-surface">
      <div className={`${classes["body"]} stack gap-3 justify-center max-w-[720px] min-h-full mx-auto p-8`}>
        <h1 className="text-title leading-8">Your connections cannot be opened</h1>
        <p>{REASONS[reason]}</p>
        <p className="font-code text-small wrap-anywhere select-text">{path}</p>
        <p>
          It contains connections, saved views, saved exports, schedules, settings and the list of downloads.
          Measurements and keys are stored elsewhere and not affected. In any case, the file is kept under another name
          beside the new one.
        </p>
        {fault ? <FaultNote fault={fault} /> : null}
        <section aria-labelledby="backups">
          <h2 id="backups">Restore a backup</h2>
          {backups.length === 0 ? (
            <p className="text-quiet">There is no readable backup.</p>
          ) : (
            <ul className={`${classes["list"]} mt-2 border-t border-line list-none`}>
              {backups.map((backup, i) => (
                <Backup
                  key={backup.path}
                  backup={backup}
                  isFirst={i === 0}
                  isBusy={busyWith === backup.path}
                  isDisabled={busyWith !== null}
                  onRestore={() => void restore(backup.path)}
                />
              ))}
            </ul>
          )}
        </section>
        <section aria-labelledby="start-empty">
          <h2 id="start-empty">Start with an empty list</h2>
          <div className={classes["row"]}>
            <p className="text-quiet">
              Downloaded data are kept: the first screen then offers to adopt caches without a connection.
            </p>
            <Button isPending={busyWith === ""} isDisabled={busyWith !== null} onPress={() => void restore(null)}>
              Start empty
            </Button>
          </div>
        </section>
      </div>
    </main>
  );
}

function Backup(props: {
  readonly backup: UserBackup;
  readonly isFirst: boolean;
  readonly isBusy: boolean;
  readonly isDisabled: boolean;
  readonly onRestore: () => void;
}) {
  const { backup, isFirst, isBusy, isDisabled, onRestore } = props;
  const made = utcMinutes(backup.madeAtMs);
  return (
    <li className={classes["row"]}>
      <div className="min-w-0 wrap-anywhere select-text">
        <p>
          {made} UTC <span className="text-quiet">({ago(backup.madeAtMs, Date.now())})</span>
        </p>
        <p className="text-quiet">{contentsText(backup)}</p>
      </div>
      <Button
        look={isFirst ? "primary" : "plain"}
        aria-label={`Restore the backup of ${made} UTC`}
        autoFocus={isFirst}
        isPending={isBusy}
        isDisabled={isDisabled && !isBusy}
        onPress={onRestore}
      >
        Restore
      </Button>
    </li>
  );
}
