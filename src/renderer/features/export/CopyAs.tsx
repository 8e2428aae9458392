import { ClipboardCopy } from "lucide-react";
import type { ReactNode } from "react";
import type { ExportRequest } from "#shared/file/export.ts";
import { SNIPPET_LANGUAGES, SNIPPET_NAMES, snippetOf } from "#shared/snippets/index.ts";
import { showToast } from "../../stores/toasts.ts";
import { Button } from "../../ui/Button.tsx";
import { MenuButton } from "../../ui/MenuButton.tsx";

interface CopyAsProps {
  readonly request: Pick<ExportRequest, "format" | "layout" | "variables">;
  /** Of the data files, the series first. */
  readonly paths: readonly string[];
  /** Whether a Parquet export is one file. */
  readonly filesOnly: boolean;
  /** What writes the same files; null where it is not known. */
  readonly command?: string | null;
  /** What the menu drops from; a button with words where it is not given. */
  readonly button?: ReactNode;
}

/** A menu that copies a program which opens the files, by language, or the command line that writes them. */
export function CopyAs({ request, paths, filesOnly, command = null, button }: CopyAsProps) {
  const programs = SNIPPET_LANGUAGES.flatMap((language) => {
    const text = snippetOf(language, request, paths, filesOnly);
    const name = SNIPPET_NAMES[language];
    return text === null ? [] : [{ id: language, label: name, onAction: () => void copy(text, `The ${name} code`) }];
  });
  const line = { id: "command", label: "Command line", onAction: () => void copy(command ?? "", "The command line") };
  return (
    <MenuButton
      label="Copy as"
      entries={command === null ? programs : [...programs, null, line]}
      button={
        button ?? (
          <Button isDisabled={paths.length === 0}>
            <ClipboardCopy aria-hidden />
            Copy as…
          </Button>
        )
      }
    />
  );
}

async function copy(text: string, what: string): Promise<void> {
  const isCopied = await navigator.clipboard.writeText(text).then(
    () => true,
    () => false,
  );
  showToast(
    isCopied
      ? `${what} is copied.`
      : "The clipboard cannot be used here. The description beside the file has the same text.",
  );
}
