import { X } from "lucide-react";
import { useState } from "react";
import { useAbout } from "../../stores/about.ts";
import { connectionName, useConnection } from "../../stores/connection.ts";
import { openDialog } from "../../stores/dialogs.ts";
import { Button, IconButton } from "../../ui/Button.tsx";
import classes from "./shell.module.css";

/** What has to be known before one goes on working: it stays until it is closed. */
export function Notices() {
  const current = useConnection((s) => s.current);
  const about = useAbout();
  const [closed, setClosed] = useState<readonly string[]>([]);
  const notices = [
    about?.folderWarning ? { text: about.folderWarning, action: null } : null,
    current?.quarantinedPath
      ? {
          text:
            `The cache of “${connectionName(current.info)}” was damaged and has been put aside as ${current.quarantinedPath}. ` +
            "A new one was begun: fetch again what you need.",
          action: null,
        }
      : null,
    current && !current.info.hasKey
      ? {
          text: `There is no key for “${connectionName(current.info)}”. What is cached is all here; downloads wait for a key.`,
          action: <Button onPress={() => openDialog({ kind: "key", connection: current.info })}>Give a key</Button>,
        }
      : null,
  ].filter((notice) => notice !== null);
  return (
    <div className={classes["notices"]}>
      {notices
        .filter(({ text }) => !closed.includes(text))
        .map(({ text, action }) => (
          <div key={text} role="status" className={classes["notice"]}>
            <p>{text}</p>
            {action}
            <IconButton label="Close" onPress={() => setClosed([...closed, text])}>
              <X aria-hidden />
            </IconButton>
          </div>
        ))}
    </div>
  );
}
