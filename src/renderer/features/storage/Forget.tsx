import { useState } from "react";
import { Button } from "../../ui/Button.tsx";
import { RoomSection } from "../../ui/Room.tsx";
import { useForget } from "./forget.ts";
import classes from "./storage.module.css";

/** Everything at once; single stations are forgotten in the table. */
export function Forget({ connectionId }: { readonly connectionId: string }) {
  const [isPending, setPending] = useState(false);
  const forget = useForget(connectionId);
  const forgetAll = (): void => {
    setPending(true);
    const what = "Everything cached from this connection";
    forget({ stationIds: null, variables: null, what, onSettled: () => setPending(false) });
  };
  return (
    <RoomSection title="Forget">
      <div className={classes["row"]}>
        <p className={classes["text"]}>All data of this connection, pinned or not; the list of stations stays.</p>
        <Button look="danger" isDisabled={isPending} onPress={forgetAll}>
          Forget everything
        </Button>
      </div>
      <p role="status" className={classes["said"]}>
        {isPending ? "Waiting, so that you can undo it." : null}
      </p>
    </RoomSection>
  );
}
