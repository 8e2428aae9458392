import { useState } from "react";
import { bridge } from "../../bridge/index.ts";
import { stationName, useCatalogue } from "../../stores/catalogue.ts";
import { showFault, showToast } from "../../stores/toasts.ts";
import { undoable } from "../../stores/undo.ts";
import { useWorkspace } from "../../stores/workspace.ts";
import { Button } from "../../ui/Button.tsx";
import { RoomSection } from "../../ui/Room.tsx";
import { count, many } from "../../ui/text.ts";
import classes from "./storage.module.css";

/** Taking data out of the cache: announced first, done when the chance to take it back has passed. */
export function Forget({ connectionId }: { readonly connectionId: string }) {
  const chosen = useWorkspace((s) => s.stationIds);
  const byId = useCatalogue((s) => s.byId);
  const [pending, setPending] = useState(0);
  const forget = (stationIds: readonly string[] | null, what: string): void => {
    setPending((n) => n + 1);
    undoable({
      text: `${what} will be forgotten. It can be fetched again.`,
      async commit() {
        const answer = await bridge.cache.forget({ connectionId, stationIds, range: null });
        setPending((n) => n - 1);
        if (answer.ok) showToast(`${many(answer.value.rows, "row")} forgotten.`);
        else showFault(answer.error);
      },
      undo: () => setPending((n) => n - 1),
    });
  };
  const names = chosen.slice(0, 3).map((id) => stationName(byId, id));
  const more = chosen.length > names.length ? ` and ${count(chosen.length - names.length)} more` : "";
  return (
    <RoomSection title="Forget">
      <div className={classes["row"]}>
        <p className={classes["text"]}>
          {chosen.length === 0
            ? "No stations are chosen. Choose those whose data is to go under Explore."
            : `All data of ${names.join(", ")}${more}.`}
        </p>
        <Button
          look="danger"
          isDisabled={chosen.length === 0 || pending > 0}
          onPress={() => forget(chosen, `The data of ${many(chosen.length, "station")}`)}
        >
          Forget chosen stations
        </Button>
      </div>
      <div className={classes["row"]}>
        <p className={classes["text"]}>All data of this connection; the list of stations stays.</p>
        <Button
          look="danger"
          isDisabled={pending > 0}
          onPress={() => forget(null, "Everything cached from this connection")}
        >
          Forget everything
        </Button>
      </div>
      <p role="status" className={classes["said"]}>
        {pending > 0 ? "Waiting, so that it can be undone." : null}
      </p>
    </RoomSection>
  );
}
