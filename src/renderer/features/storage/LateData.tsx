import { bridge } from "../../bridge/index.ts";
import { settlingOf } from "../../ask/questions.ts";
import { useAskHere } from "../../ask/useAsk.ts";
import { useCall } from "../../ask/useCall.ts";
import { Select } from "../../ui/choices.tsx";
import { FaultNote } from "../../ui/notes.tsx";
import { PageSection, TextRow } from "../../ui/layout.tsx";
import { many } from "../../ui/text.ts";
import { useConnectionId } from "../../stores/connection.ts";

const CHOICES = [6, 12, 24, 48, 72, 168, 336, 720];

function words(hours: number): string {
  return hours >= 72 && hours % 24 === 0 ? many(hours / 24, "day") : `${hours} h`;
}

/** For how long data of the connection may arrive late. */
export function LateData() {
  const connectionId = useConnectionId();
  const asked = useAskHere(settlingOf, {}, { delayMs: 0 });
  const call = useCall();
  const hours = asked.value?.hours ?? null;
  const fault = call.fault ?? asked.fault;
  const choose = async (next: number): Promise<void> => {
    await call.run(() => bridge.connections.setSettling({ connectionId, hours: next }));
    asked.again();
  };
  const choices = [...new Set([...CHOICES, ...(hours === null ? [] : [hours])])].toSorted((a, b) => a - b);
  return (
    <PageSection title="Late data">
      <TextRow text="Data of this period may still arrive. Until then, its gaps count as “missing, may still arrive”, and its means are requested again.">
        {hours === null ? null : (
          <Select
            label="Data may arrive late for"
            choices={choices.map((each) => ({ value: each, label: words(each) }))}
            value={hours}
            onChange={(next) => void choose(next)}
          />
        )}
      </TextRow>
      {fault ? <FaultNote fault={fault} /> : null}
    </PageSection>
  );
}
