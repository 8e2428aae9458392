import { useShare } from "../../stores/share.ts";
import { Button } from "../../ui/Button.tsx";
import { Progress } from "../../ui/notes.tsx";
import { RoomSection } from "../../ui/Room.tsx";
import classes from "./storage.module.css";
import { type ForgetWork, stopWork, useForgetWorks } from "./work.ts";

/** What is being forgotten, how far it is, and a way to stop it. */
export function UnderWay({ connectionId }: { readonly connectionId: string }) {
  const works = useForgetWorks((s) => s.works);
  const own = works.filter((work) => work.connectionId === connectionId);
  if (own.length === 0) return null;
  return (
    <RoomSection title="Under way">
      {own.map((work) => (
        <Work key={work.workId} work={work} />
      ))}
    </RoomSection>
  );
}

function Work({ work }: { readonly work: ForgetWork }) {
  const share = useShare(work.workId);
  return (
    <div className={classes["row"]}>
      <div className={classes["grow"]}>
        <Progress label="Forgetting" share={share} text={`${work.what} is forgotten.`} />
      </div>
      <Button onPress={() => stopWork(work)}>Stop</Button>
    </div>
  );
}
