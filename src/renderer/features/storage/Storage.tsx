import { EmptyState } from "../../ui/notes.tsx";

export function Storage() {
  return <EmptyState title="Storage" />;
}
