import { useState } from "react";
import { useWorkProgress } from "../../stores/workProgress.ts";
import { Button } from "../../ui/Button.tsx";
import { Progress } from "../../ui/notes.tsx";
import classes from "./storage.module.css";
import { stopTask, type CacheTask } from "./cacheTasks.ts";

/** The progress of a task, with a button that stops it. */
export function TaskRow({ task }: { readonly task: CacheTask }) {
  const share = useWorkProgress(task.workId);
  const [isStopping, setStopping] = useState(false);
  const stop = (): void => {
    setStopping(true);
    void stopTask(task);
  };
  return (
    <div className={classes["row"]}>
      <div className={classes["grow"]}>
        <Progress label={task.label} share={share} text={task.text(share)} />
      </div>
      <Button isPending={isStopping} onPress={stop}>
        Stop
      </Button>
    </div>
  );
}
