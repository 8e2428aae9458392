import { Braces } from "lucide-react";
import type { AppFault } from "#shared/fault.ts";
import { DEFAULT_TEMPLATE, TEMPLATE_FIELDS } from "#shared/file/template.ts";
import type { Result } from "#shared/service/error.ts";
import { IconButton } from "../../ui/Button.tsx";
import { TextField } from "../../ui/fields.tsx";
import { MenuButton } from "../../ui/MenuButton.tsx";
import { NoWrapParts } from "../../ui/layout.tsx";
import classes from "./export.module.css";

interface NameTemplateProps {
  readonly value: string;
  readonly onChange: (template: string) => void;
  /** The file name that the template produces, or why it is invalid. */
  readonly name: Result<string, AppFault>;
}

/** The field for the template of the file name, with the resulting name. */
export function NameTemplate({ value, onChange, name }: NameTemplateProps) {
  const entries = Object.entries(TEMPLATE_FIELDS).map(([field, meaning]) => ({
    id: field,
    label: `{${field}}`,
    detail: meaning,
    onAction: () => onChange(withField(value, field)),
  }));
  const usual = { id: "usual", label: "Default name", onAction: () => onChange(DEFAULT_TEMPLATE) };
  return (
    <div className={`${classes["template"]} grid grid-cols-[1fr_auto] gap-1`}>
      <TextField
        label="Name of the file"
        value={value}
        onChange={onChange}
        problem={name.ok ? null : name.error.message}
        hint={
          name.ok ? (
            <span className="block text-ink text-small">
              <NoWrapParts text={name.value} separator=" " />
            </span>
          ) : null
        }
        autoComplete="off"
      />
      <MenuButton
        label="Fields for the name"
        entries={[...entries, null, usual]}
        button={<IconButton label="Add a field" icon={Braces} />}
      />
    </div>
  );
}

/** Inserts a field before the ending, with the same separator as the other fields. */
function withField(template: string, field: string): string {
  const ending = template.endsWith(".{ext}") ? ".{ext}" : "";
  const stem = template.slice(0, template.length - ending.length);
  const separator = stem === "" || /[ _-]$/.test(stem) ? "" : stem.includes(" ") ? " " : "_";
  return `${stem}${separator}{${field}}${ending}`;
}
