import { parseSync } from "vite";

/** A source with one small change. */
export interface Mutant {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** The replaced text, and its replacement. */
  readonly change: string;
  /** The whole changed source. */
  readonly source: string;
}

type Node = { readonly type: string; readonly start: number; readonly end: number } & Readonly<Record<string, unknown>>;
/** Text that replaces a part of the source. */
type Change = readonly [start: number, end: number, text: string];

const OPERATORS: Readonly<Record<string, string>> = {
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "===": "!==",
  "!==": "===",
  "+": "-",
  "-": "+",
  "*": "/",
  "/": "*",
  "&&": "||",
  "||": "&&",
};

/**
 * All mutants of a source: another operator, a negated condition, the left side of `??` alone, another number or truth
 * value, a call left out.
 */
export function mutantsOf(file: string, source: string): Mutant[] {
  return [...nodesOf(parseSync(file, source).program)].flatMap((node) =>
    changesOf(node, source).map(([start, end, text]) => ({
      file,
      line: source.slice(0, start).split("\n").length,
      change: `${short(source.slice(start, end))} → ${short(text)}`,
      source: source.slice(0, start) + text + source.slice(end),
    })),
  );
}

function changesOf(node: Node, source: string): Change[] {
  const { type, start, end } = node;
  const text = ({ start: from, end: to }: Node): string => source.slice(from, to);
  switch (type) {
    case "BinaryExpression":
    case "LogicalExpression": {
      const [left, right] = [node["left"] as Node, node["right"] as Node];
      if (node["operator"] === "??") return [[start, end, text(left)]];
      const operator = OPERATORS[String(node["operator"])];
      return operator === undefined ? [] : [[start, end, `${text(left)} ${operator} ${text(right)}`]];
    }
    case "IfStatement":
    case "ConditionalExpression": {
      const test = node["test"] as Node;
      return [[test.start, test.end, `!(${text(test)})`]];
    }
    case "Literal":
      if (typeof node["value"] === "number") return [[start, end, String(node["value"] + 1)]];
      return typeof node["value"] === "boolean" ? [[start, end, String(!node["value"])]] : [];
    case "ExpressionStatement":
      return (node["expression"] as Node).type === "CallExpression" ? [[start, end, ";"]] : [];
    default:
      return [];
  }
}

/** All nodes with a meaning at run time: types have none. */
function* nodesOf(value: unknown): IterableIterator<Node> {
  if (Array.isArray(value)) {
    for (const one of value) yield* nodesOf(one);
  } else if (typeof value === "object" && value !== null && "type" in value) {
    const node = value as Node;
    const isType = node.type.startsWith("TS") && !("expression" in node);
    if (isType || node.type === "ImportDeclaration") return;
    yield node;
    for (const inner of Object.values(node)) yield* nodesOf(inner);
  }
}

function short(text: string): string {
  const line = text.replaceAll(/\s+/gu, " ");
  return line.length <= 60 ? line : `${line.slice(0, 57)}…`;
}
