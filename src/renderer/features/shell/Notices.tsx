import { TriangleAlert, X } from "lucide-react";
import { useState } from "react";
import type { OpenedConnection } from "#shared/bridge/methods/connections.ts";
import type { CacheDamage } from "#shared/series/cache.ts";
import type { KnownStation } from "#shared/service/catalogue.ts";
import { aboutOf } from "../../ask/questions.ts";
import { useAsk } from "../../ask/useAsk.ts";
import { stationName, useCatalogue } from "../../stores/catalogue.ts";
import { connectionName, useConnection } from "../../stores/connection.ts";
import { forgetLeftOut, useDamage } from "../../stores/damage.ts";
import { openDialog } from "../../stores/dialogs.ts";
import { useReleases } from "../../stores/releases.ts";
import { useSettings } from "../../stores/settings.ts";
import { useSomeJob } from "../../stores/work.ts";
import { useWorkspace } from "../../stores/workspace.ts";
import { Button, IconButton } from "../../ui/Button.tsx";
import { Flyout } from "../../ui/Flyout.tsx";
import { many } from "../../ui/text.ts";
import { GuideLink } from "../guide/GuideLink.tsx";
import { leftOutText } from "../storage/findings.ts";
import classes from "./status.module.css";

interface Notice {
  readonly text: string;
  readonly isDamage?: boolean;
  readonly action?: { readonly label: string; readonly run: () => void };
  /** Called when the notice is closed, if the same notice may appear again. */
  readonly onClose?: () => void;
}

/** Notices that stay until the user closes them: the most important one in the status bar, all in a list above it. */
export function Notices() {
  const current = useConnection((s) => s.current);
  const isRefused = useSomeJob((job) => job.state === "needsKey");
  const isDamaged = useDamage((s) => s.connectionIds.includes(current?.info.id ?? ""));
  const leftOut = useDamage((s) => s.leftOut[current?.info.id ?? ""]) ?? [];
  const byId = useCatalogue((s) => s.byId);
  const warnings = useAsk(aboutOf, {}, { delayMs: 0 }).value?.warnings ?? [];
  const release = useReleases((s) => s.news?.newer?.version ?? null);
  const seenRelease = useSettings((s) => s.settings.seenRelease);
  const [closed, setClosed] = useState<readonly string[]>([]);
  if (!current) return null;
  const notices = [
    ...noticesOf(current, isRefused, isDamaged),
    ...(leftOut.length === 0 ? [] : [leftOutNotice(current, leftOut, byId)]),
    ...warnings.map((text): Notice => ({ text })),
    ...(release === null || release === seenRelease ? [] : [releaseNotice(release)]),
  ];
  const shown = notices.filter(({ text }) => !closed.includes(text));
  const [first] = shown;
  if (!first) return null;
  return (
    <div className={`${classes["notice"]} row grow-[9999] basis-0 min-w-0 max-w-max`}>
      <Flyout
        label="Notices"
        placement="top end"
        button={
          <Button look="quiet" aria-label={`${many(shown.length, "notice")}: ${first.text}`} icon={TriangleAlert}>
            <span role="status" className="overflow-hidden text-ellipsis">
              {first.text}
            </span>
            {shown.length > 1 ? (
              <span aria-hidden className="flex-none">
                +{shown.length - 1}
              </span>
            ) : null}
          </Button>
        }
      >
        {(close) => (
          <ul className={`${classes["notices"]} stack gap-3 max-w-[560px]`}>
            {shown.map((notice) => (
              <NoticeItem
                key={notice.text}
                notice={notice}
                leave={close}
                close={notice.onClose ?? (() => setClosed([...closed, notice.text]))}
              />
            ))}
          </ul>
        )}
      </Flyout>
    </div>
  );
}

interface NoticeItemProps {
  readonly notice: Notice;
  /** Closes the list, so that it does not cover what a button opens. */
  readonly leave: () => void;
  readonly close: () => void;
}

function NoticeItem({ notice, leave, close }: NoticeItemProps) {
  const { text, action, isDamage } = notice;
  const isStorageShown = useWorkspace((s) => s.section === "storage");
  const then = (run: () => void) => () => {
    leave();
    run();
  };
  return (
    <li className="row gap-3">
      <p>
        {text}
        {isDamage ? (
          <>
            {" "}
            <GuideLink page="storage" anchor="a-damaged-cache">
              What is lost
            </GuideLink>
          </>
        ) : null}
      </p>
      {action ? <Button onPress={then(action.run)}>{action.label}</Button> : null}
      {isDamage && !isStorageShown ? (
        <Button onPress={then(() => useWorkspace.setState({ section: "storage" }))}>Open storage</Button>
      ) : null}
      <IconButton label="Close" onPress={close} icon={X} />
    </li>
  );
}

function releaseNotice(version: string): Notice {
  const seen = (): void => void useSettings.getState().change({ seenRelease: version });
  const action = { label: "What is new", run: () => openDialog({ kind: "release" }) };
  return { text: `Zenith Desk ${version} is available.`, action, onClose: seen };
}

function leftOutNotice(
  { info }: OpenedConnection,
  damages: readonly CacheDamage[],
  byId: ReadonlyMap<string, KnownStation>,
): Notice {
  const damageText = leftOutText(damages, (id) => stationName(byId, id));
  const advice =
    info.kind === "file"
      ? "Open your colleague’s file again to restore the missing data."
      : "The removed data are marked “not downloaded” and can be fetched again.";
  const text = `Cache of “${connectionName(info)}”: ${damageText} ${advice}`;
  return { text, isDamage: true, onClose: () => forgetLeftOut(info.id) };
}

function noticesOf(
  { info, quarantinedPath }: OpenedConnection,
  isRefused: boolean,
  isDamaged: boolean,
): readonly Notice[] {
  const name = `“${connectionName(info)}”`;
  const notices: Notice[] = [];
  if (isDamaged)
    notices.push({
      text: `The cache of ${name} is damaged: part of it cannot be read. Rebuild it from its intact data.`,
      isDamage: true,
    });
  else if (quarantinedPath !== null)
    notices.push({
      text:
        `The cache of ${name} was damaged and was moved to quarantine as ${quarantinedPath}. ` +
        (info.kind === "file"
          ? "A new one was created. Open your colleague’s file again to restore missing data."
          : "Copy its intact data under Storage; the rest can be fetched again."),
      isDamage: true,
    });
  if (info.kind === "file") return notices;
  const action = { label: "Enter key", run: () => openDialog({ kind: "key", connection: info }) };
  if (!info.hasKey)
    notices.push({
      text: `There is no key for ${name}. Cached data remain available; downloads wait for a key.`,
      action,
    });
  else if (isRefused)
    notices.push({
      text: `The service refuses the key of ${name}. Cached data remain available; downloads wait for a new one.`,
      action,
    });
  return notices;
}
