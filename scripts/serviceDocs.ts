// Updates the documentation of the service's configuration in docs/ from its schema (`npm run schemas`).
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { configJsonSchema } from "#service/configSchema.ts";

const docs = join(import.meta.dirname, "..", "docs");

interface Node {
  readonly description?: string;
  readonly const?: string;
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, Node>>;
  readonly required?: readonly string[];
  readonly items?: Node;
  readonly oneOf?: readonly Node[];
  readonly anyOf?: readonly Node[];
}

const BEGIN = "<!-- written by scripts/serviceDocs.ts -->";
const END = "<!-- up to here -->";

/** Replaces the tables of the configuration in a page by those of the schema. */
export function withTables(page: string): string {
  const [before, rest = ""] = page.split(BEGIN);
  const [, after = ""] = rest.split(END);
  return `${before}${BEGIN}\n${tables(configJsonSchema())}\n${END}${after}`;
}

function tables(schema: Node): string {
  const top = schema.properties!;
  const rule = top["faults"]!.items!;
  const faults = rule.properties!["fault"]!.oneOf!.map((fault) => {
    const { kind, ...others } = fault.properties!;
    const fields = Object.entries(others).map(([name, node]) => `\`${name}\`${note(fault, name, node)}`);
    return `| \`${kind!.const}\` | ${kind!.description} | ${fields.join("; ")} |`;
  });
  return [
    table(schema),
    "### An organization\n",
    table(top["organizations"]!.items!),
    "### A rule of faults\n",
    table(rule),
    "| `kind` of a fault | Effect | Further fields |\n|---|---|---|",
    ...faults,
  ].join("\n");
}

function table(node: Node): string {
  const rows = Object.entries(node.properties!).map(
    ([name, field]) => `| \`${name}\`${node.required?.includes(name) ? " (required)" : ""} | ${meaning(field)} |`,
  );
  return `| Name | Meaning |\n|---|---|\n${rows.join("\n")}\n`;
}

function meaning(field: Node): string {
  const words = field.enum ?? field.items?.enum ?? [];
  const choice = words.length > 0 ? ` One of ${words.map((word) => `\`${word}\``).join(", ")}.` : "";
  return `${field.description ?? ""}${choice}`;
}

function note(owner: Node, name: string, field: Node): string {
  const remarks = [
    owner.required?.includes(name) ? "" : "optional",
    field.description ?? "",
    (field.enum ?? []).join(", "),
  ];
  const text = remarks.filter((remark) => remark !== "").join("; ");
  return text === "" ? "" : ` (${text.replace(/\.$/, "")})`;
}

if (import.meta.main) {
  const page = join(docs, "service.md");
  writeFileSync(page, withTables(readFileSync(page, "utf8")));
  writeFileSync(join(docs, "service.schema.json"), `${JSON.stringify(configJsonSchema(), null, 2)}\n`);
}
