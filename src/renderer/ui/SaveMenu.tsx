import { Download } from "lucide-react";
import { useCommand } from "../stores/commands.ts";
import { QuietButton } from "./Button.tsx";
import { MenuButton, type MenuEntries, type MenuEntry } from "./MenuButton.tsx";

interface Savable {
  /** Absent: the view has none; null: it has none now. */
  readonly figure?: (() => void) | null;
  readonly animation?: (() => void) | null;
  /** Tables, reports and whatever else the view saves. */
  readonly others?: readonly MenuEntry[];
}

/** What a view can save, as entries of a menu. */
export function saveEntries({ figure, animation, others = [] }: Savable): MenuEntries {
  return [
    figure !== undefined && entry("figure", "Figure…", "PNG, SVG, PDF", figure),
    animation !== undefined && entry("animation", "Animation…", "GIF, PNG frames", animation),
    ...others,
  ];
}

function entry(id: string, label: string, detail: string, save: (() => void) | null): MenuEntry {
  return { id, label, detail, isDisabled: save === null, onAction: () => save?.() };
}

/** The menu that saves what a view shows, and its commands. */
export function SaveMenu({ label, ...savable }: Savable & { readonly label: string }) {
  const { figure, animation } = savable;
  useCommand("figure", () => figure?.(), Boolean(figure));
  useCommand("animation", () => animation?.(), Boolean(animation));
  return (
    <MenuButton label={label} button={<QuietButton label="Save" icon={Download} />} entries={saveEntries(savable)} />
  );
}
