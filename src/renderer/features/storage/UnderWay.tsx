import { RoomSection } from "../../ui/Room.tsx";
import { useWorks } from "./work.ts";
import { WorkRow } from "./WorkRow.tsx";

/** What is being forgotten, wherever in the window that was begun. */
export function UnderWay({ connectionId }: { readonly connectionId: string }) {
  const works = useWorks((s) => s.works);
  const own = works.filter((work) => work.connectionId === connectionId);
  if (own.length === 0) return null;
  return (
    <RoomSection title="Under way">
      {own.map((work) => (
        <WorkRow key={work.workId} work={work} />
      ))}
    </RoomSection>
  );
}
