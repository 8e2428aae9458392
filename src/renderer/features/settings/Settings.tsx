import { EmptyState } from "../../ui/notes.tsx";

export function Settings() {
  return <EmptyState title="Settings" />;
}
