import { useEffect, useState } from "react";
import { type Command, type CommandId, COMMANDS } from "#shared/commands.ts";
import type { LogLevel } from "#shared/logLine.ts";
import { connectionName } from "../../stores/connection.ts";
import { DialogActions, WindowDialog, CloseButton } from "../../ui/Dialog.tsx";
import { AdoptForm } from "../start/Orphans.tsx";
import { ConnectForm } from "../start/ConnectForm.tsx";
import { KeyForm } from "../start/KeyForm.tsx";
import { useReleases } from "../../stores/releases.ts";
import { Button, CopyButton } from "../../ui/Button.tsx";
import classes from "./dialogs.module.css";
import { aboutOf, logOf } from "../../ask/questions.ts";
import { useAsk } from "../../ask/useAsk.ts";
import { useCommands } from "../../stores/commands.ts";
import { Segments, choicesFrom } from "../../ui/choices.tsx";
import { Facts } from "../../ui/layout.tsx";
import { OneFieldForm } from "../../ui/OneField.tsx";
import { bridge } from "../../bridge/index.ts";
import { Keys } from "../../ui/notes.tsx";
import { IS_MAC, keysOf } from "./keys.ts";

/** The dialogs that do not belong to a feature. */
export function WindowDialogs() {
  return (
    <>
      <WindowDialog kind="connect" title="Connect to a service">
        {() => <ConnectForm isDialog />}
      </WindowDialog>
      <WindowDialog kind="rename" title={({ connection }) => `Rename “${connectionName(connection)}”`}>
        {({ connection: { id, name } }) => (
          <OneFieldForm
            label="Name"
            initial={name}
            read={(text) => text || null}
            action="Rename"
            onSubmit={(next) => bridge.connections.rename({ connectionId: id, name: next })}
          />
        )}
      </WindowDialog>
      <WindowDialog kind="key" title={({ connection }) => `New key for “${connectionName(connection)}”`}>
        {({ connection }) => <KeyForm connection={connection} />}
      </WindowDialog>
      <WindowDialog kind="adopt" title="Adopt a cache">
        {({ cache }) => <AdoptForm cache={cache} />}
      </WindowDialog>
      <WindowDialog kind="shortcuts" title="Keyboard shortcuts" wide>
        {() => <Shortcuts />}
      </WindowDialog>
      <WindowDialog kind="about" title="About Zenith Desk">
        {() => <About />}
      </WindowDialog>
      <WindowDialog kind="log" title="Log" wide>
        {() => <Log />}
      </WindowDialog>
      <WindowDialog kind="release" title="A newer version of Zenith Desk">
        {() => <ReleaseNotes />}
      </WindowDialog>
    </>
  );
}

/** The changes of a newer version and where to get it. The content comes from the network and is shown as plain text. */
function ReleaseNotes() {
  const news = useReleases((s) => s.news);
  if (!news?.newer) return null;
  const { version, date, notes } = news.newer;
  return (
    <>
      <p className="text-quiet">{date === null ? `Version ${version}` : `Version ${version}, published on ${date}`}</p>
      {notes.length === 0 ? null : (
        <ul className={classes["notes"]}>
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
      <p>
        Install it the way you installed this version, or from{" "}
        <span className="wrap-anywhere select-all">{news.address}</span>
      </p>
      <DialogActions>
        <CopyButton text={() => news.address}>Copy the address</CopyButton>
        <CloseButton>Close</CloseButton>
      </DialogActions>
    </>
  );
}

/** Versions and folders of the program, for bug reports. */
function About() {
  const { value: about } = useAsk(aboutOf, {}, { delayMs: 0 });
  const [showsLicences, setShowsLicences] = useState(false);
  if (!about) return null;
  const facts = [
    { label: "Version", value: about.version },
    ...about.components.map(({ name, version }) => ({ label: name, value: version })),
    { label: "System", value: about.platform },
    { label: "Data folder", value: about.dataFolder },
    { label: "Licence", value: "MIT" },
  ];
  return (
    <>
      <p className="text-quiet">
        Zenith total delay, water vapour and satellite tracking data of GNSS stations: downloaded once, stored here,
        available offline.
      </p>
      {about.warnings.map((text) => (
        <p key={text} className="px-3 py-2 border-l-3 border-warn rounded-box bg-(--warn-soft) wrap-anywhere">
          {text}
        </p>
      ))}
      <Facts facts={facts} />
      {showsLicences ? <Licences /> : null}
      <DialogActions>
        {showsLicences ? null : <Button onPress={() => setShowsLicences(true)}>Licences of components</Button>}
        <CopyButton text={() => facts.map(({ label, value }) => `${label}: ${value}`).join("\n")}>Copy</CopyButton>
        <CloseButton>Close</CloseButton>
      </DialogActions>
    </>
  );
}

/** The licences of the components of this program, loaded on demand. */
function Licences() {
  const [text, setText] = useState<string | null>(null);
  useEffect(() => {
    void import("virtual:licences").then((found) => setText(found.default));
  }, []);
  return (
    // Focusable, so that the keyboard can scroll it.
    <div
      className="caption scroll max-h-[40vh] px-3 py-2 border border-line rounded-box font-code whitespace-pre-wrap"
      role="region"
      aria-label="Licences of components"
      tabIndex={0}
    >
      {text ?? "Loading …"}
    </div>
  );
}

const MAX_LINES = 1_000;

/** The newest lines of the log at the time the dialog was opened. */
function Log() {
  const [level, setLevel] = useState<LogLevel>("info");
  const { value: shown, fault } = useAsk(logOf, { level, most: MAX_LINES }, { delayMs: 0 });
  const texts = (shown?.lines ?? []).map((line) => `${line.time} ${line.level} ${line.source} ${line.text}`);
  return (
    <>
      <p className="text-quiet">
        Starts, ends and failures; times in UTC. The log contains no API key.
        {shown === null ? null : <> The file is {shown.path}.</>}
      </p>
      <Segments
        label="Lines shown"
        value={level}
        onChange={setLevel}
        choices={choicesFrom({ error: "Errors", warn: "Warnings too", info: "All" })}
      />
      {fault ? <p role="alert">{fault.message}</p> : null}
      <div
        ref={(box) => box?.scrollTo(0, box.scrollHeight)}
        className="caption scroll max-h-[40vh] px-3 py-2 border border-line rounded-box font-code whitespace-pre-wrap"
        role="region"
        aria-label="Lines of the log"
        tabIndex={0}
      >
        {shown === null
          ? "Loading …"
          : texts.length === 0
            ? "The log contains no such lines."
            : texts.join("\n").replaceAll("\\n", "\n    ")}
      </div>
      <DialogActions>
        <CopyButton text={() => texts.join("\n")}>Copy</CopyButton>
        <CloseButton>Close</CloseButton>
      </DialogActions>
    </>
  );
}

/** Keys handled by the focused element, not by commands. */
const FOCUS_KEYS = [
  { title: "Close, or leave what is open", keys: ["Esc"] },
  { title: "Move in a list", keys: ["↑", "↓"] },
  { title: "Select more in a list", keys: ["Shift ↓"] },
  { title: "Mark", keys: ["Space"] },
  { title: "Open the menu of a station, gap or plot", keys: ["Shift F10"] },
  { title: "Read values of a plot, with Shift further apart", keys: ["←", "→"] },
  { title: "Read one station of a plot", keys: ["↑", "↓"] },
  { title: "Move a plot in time", keys: ["PgUp", "PgDn"] },
  { title: "Move a divider that has the focus", keys: ["←", "→"] },
] as const;

/** All keyboard shortcuts, generated from the list of commands. */
function Shortcuts() {
  const running = useCommands((s) => s.available);
  const entries = COMMANDS.map((command: Command) => ({
    title: command.title,
    keys: keysOf(command, IS_MAC),
    isOff: !running.has(command.id as CommandId),
  })).filter(({ keys }) => keys.length > 0);
  return (
    <>
      <KeyList title="Everywhere" entries={entries} />
      <KeyList title="Where the focus is" entries={FOCUS_KEYS} />
      <p className="text-quiet">
        Single keys work while you are not typing. Grey commands are unavailable at the moment.
      </p>
      <DialogActions>
        <CloseButton>Close</CloseButton>
      </DialogActions>
    </>
  );
}

function KeyList(props: {
  readonly title: string;
  readonly entries: readonly { readonly title: string; readonly keys: readonly string[]; readonly isOff?: boolean }[];
}) {
  return (
    <section>
      <h3 className="caption pb-1">{props.title}</h3>
      <dl className={classes["keys"]}>
        {props.entries.map(({ title, keys, isOff }) => (
          <div key={title} className={classes["keyRow"]} data-off={isOff || undefined}>
            <dt>{title}</dt>
            <dd>
              {keys.map((key, i) => (
                <span key={key}>
                  {i > 0 ? <span className="px-2 text-faint text-small">or</span> : null}
                  <Keys keys={key} />
                </span>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
