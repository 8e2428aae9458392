import { useState } from "react";
import { useWorkProgress } from "../../stores/workProgress.ts";
import { Button } from "../../ui/Button.tsx";
import { Progress } from "../../ui/notes.tsx";
import classes from "./storage.module.css";
import { stopWork, type Work } from "./work.ts";

/** How far a work is, and a way to stop it. */
export function WorkRow({ work }: { readonly work: Work }) {
  const share = useWorkProgress(work.workId);
  const [isStopping, setStopping] = useState(false);
  const stop = (): void => {
    setStopping(true);
    void stopWork(work);
  };
  return (
    <div className={classes["row"]}>
      <div className={classes["grow"]}>
        <Progress label={work.label} share={share} text={work.text(share)} />
      </div>
      <Button isPending={isStopping} onPress={stop}>
        Stop
      </Button>
    </div>
  );
}
