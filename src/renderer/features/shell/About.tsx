import { useState, useEffect } from "react";
import { closeDialog } from "../../stores/dialogs.ts";
import { useAbout } from "../../stores/about.ts";
import { Button } from "../../ui/Button.tsx";
import { CopyButton } from "../../ui/CopyButton.tsx";
import { DialogActions } from "../../ui/Dialog.tsx";
import { Facts } from "../../ui/Facts.tsx";
import classes from "./dialogs.module.css";

/** Versions and folders of the program, for bug reports. */
export function About() {
  const about = useAbout();
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
      <p className={classes["quiet"]}>
        Zenith total delay, water vapour and satellite tracking data of GNSS stations: downloaded once, stored here,
        available offline.
      </p>
      {about.folderWarning ? <p className={classes["warning"]}>{about.folderWarning}</p> : null}
      <Facts facts={facts} />
      {showsLicences ? <Licences /> : null}
      <DialogActions>
        {showsLicences ? null : <Button onPress={() => setShowsLicences(true)}>Licences of components</Button>}
        <CopyButton text={() => facts.map(({ label, value }) => `${label}: ${value}`).join("\n")}>Copy</CopyButton>
        <Button onPress={closeDialog}>Close</Button>
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
    <div className={classes["licences"]} role="region" aria-label="Licences of components" tabIndex={0}>
      {text ?? "Loading …"}
    </div>
  );
}
