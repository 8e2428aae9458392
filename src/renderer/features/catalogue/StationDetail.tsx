import { EmptyState } from "../../ui/notes.tsx";

export function StationDetail() {
  return <EmptyState title="Station" />;
}
