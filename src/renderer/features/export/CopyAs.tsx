import { ClipboardCopy } from "lucide-react";
import type { ReactNode } from "react";
import type { ExportRequest } from "#shared/file/export.ts";
import { SNIPPET_LANGUAGES, SNIPPET_NAMES, snippetOf } from "#shared/snippets/index.ts";
import { copyText } from "../../stores/copyText.ts";
import { Button } from "../../ui/Button.tsx";
import { MenuButton } from "../../ui/MenuButton.tsx";

interface CopyAsProps {
  readonly request: Pick<ExportRequest, "format" | "layout" | "variables">;
  /** Paths of the data files, those of series first. */
  readonly paths: readonly string[];
  /** Whether a Parquet export is a single file instead of a folder. */
  readonly filesOnly: boolean;
  /** The command line that writes the same files; null if unknown. */
  readonly command?: string | null;
  /** The button that opens the menu; by default one with a text. */
  readonly button?: ReactNode;
}

/** A menu that copies code to open the files, in several languages, or the command line that writes them. */
export function CopyAs({ request, paths, filesOnly, command = null, button }: CopyAsProps) {
  const programs = SNIPPET_LANGUAGES.flatMap((language) => {
    const text = snippetOf(language, request, paths, filesOnly);
    const name = SNIPPET_NAMES[language];
    return text === null ? [] : [{ id: language, label: name, onAction: () => copy(text, `The ${name} code`) }];
  });
  return (
    <MenuButton
      label="Copy as"
      entries={[
        ...programs,
        command !== null && null,
        command !== null && { id: "command", label: "Command line", onAction: () => copy(command, "The command line") },
      ]}
      button={
        button ?? (
          <Button isDisabled={paths.length === 0} icon={ClipboardCopy}>
            Copy as…
          </Button>
        )
      }
    />
  );
}

function copy(text: string, what: string): void {
  const failedMessage = "The clipboard cannot be used here. The description beside the file has the same text.";
  copyText(text, `${what} was copied.`, failedMessage);
}
