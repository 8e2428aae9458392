import { askForRelease, useReleases } from "../../stores/releases.ts";
import { useSettings } from "../../stores/settings.ts";
import { openDialog } from "../../stores/dialogs.ts";
import { Button } from "../../ui/Button.tsx";
import { Switch } from "../../ui/choices.tsx";
import { RoomSection } from "../../ui/Room.tsx";
import { Setting } from "./Setting.tsx";
import classes from "./settings.module.css";

/** Whether the program asks for a newer version of itself; nothing where it does not know whom to ask. */
export function Updates() {
  const { address, news, isAsking, problem } = useReleases();
  const { settings, change } = useSettings();
  if (address === null) return null;
  return (
    <RoomSection title="Updates">
      <Setting
        name="New versions"
        hint={`Asks ${new URL(address).host} which version is the newest. No key, no data and nothing about you or this computer is sent, and nothing is installed.`}
      >
        <Switch isSelected={settings.checkReleases} onChange={(checkReleases) => void change({ checkReleases })}>
          Check once a day
        </Switch>
        <Button isDisabled={isAsking} onPress={() => void askForRelease()}>
          Check for a new version
        </Button>
      </Setting>
      <div role="status">
        {problem === null ? null : <p className={classes["text"]}>{problem}</p>}
        {problem === null && news?.newer === null ? (
          <p className={classes["text"]}>This is the newest version.</p>
        ) : null}
        {problem === null && news?.newer ? (
          <p className={classes["text"]}>
            Version {news.newer.version} is available.{" "}
            <Button onPress={() => openDialog({ kind: "release" })}>What is new</Button>
          </p>
        ) : null}
      </div>
    </RoomSection>
  );
}
