import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "vitest";
import { runPython } from "./tools.ts";

/** An operation of a tool on files, and the expected values. */
export interface Operation {
  readonly tool: string;
  /** As a user types it: a command that writes `out.nc` or prints numbers, or an expression of Python. */
  readonly command: string;
  /** The program that must be installed; `python` for an expression. */
  readonly program: string;
  /** The message of the program if a package is missing. */
  readonly lacks?: RegExp;
  /** The variable of `out.nc` that is read back. */
  readonly variable?: string;
  /** Values, null if missing; or the message of the tool if it rejects the operation. */
  readonly expected: readonly (number | null)[] | RegExp;
  /** The largest allowed difference, since printed values are rounded. */
  readonly tolerance?: number;
}

export type Outcome =
  | { readonly kind: "absent"; readonly reason: string }
  | { readonly kind: "refused"; readonly reason: string }
  | { readonly kind: "values"; readonly values: readonly (number | null)[] };

const READER = `
import os, sys, numpy
plain = lambda a: [None if v is numpy.ma.masked or v != v else float(v) for v in numpy.ma.asarray(a).flatten()]
found = []
for folder, text, is_expression in json.load(open(PATH)):
    os.chdir(folder)
    try:
        if is_expression: found.append(plain(eval(text)))
        else:
            with netCDF4.Dataset(text.split()[0]) as d: found.append(plain(d[text.split()[1]][:]))
    except Exception as e: found.append(str(e))
print(json.dumps(found))`;

/** Runs all operations of all folders, in one shell and one Python. */
export function runOperations(
  context: TestContext,
  all: readonly { readonly folder: string; readonly operations: readonly Operation[] }[],
): Outcome[][] {
  const script = all.flatMap(({ folder, operations }) => [
    `cd '${folder}'`,
    ...operations.map(({ program, command }, i) =>
      program === "python"
        ? ""
        : `if command -v ${program} >/dev/null; then rm -f out.nc; (${command}) >${i}.out 2>${i}.err; echo $? >${i}.rc; ` +
          `if [ -e out.nc ]; then mv out.nc ${i}.nc; fi; fi`,
    ),
  ]);
  spawnSync("bash", ["-c", script.join("\n")]);
  const wanted: [folder: string, text: string, isExpression: boolean][] = [];
  const placeOf = all.map(({ folder, operations }) =>
    operations.map(({ program, command, variable }, i) => {
      if (program === "python") return wanted.push([folder, command, true]) - 1;
      return variable !== undefined && existsSync(join(folder, `${i}.nc`))
        ? wanted.push([folder, `${i}.nc ${variable}`, false]) - 1
        : -1;
    }),
  );
  const list = join(all[0]!.folder, "wanted.json");
  writeFileSync(list, JSON.stringify(wanted));
  const script3 = READER.replace("PATH", JSON.stringify(list));
  const read = runPython(context, ["netCDF4", "xarray", "h5py"], script3) as (Cells | string)[];
  return all.map(({ folder, operations }, k) =>
    operations.map(({ program, variable, lacks }, i): Outcome => {
      const text = (ending: string): string => readFileSync(join(folder, `${i}.${ending}`), "utf8");
      if (program !== "python" && !existsSync(join(folder, `${i}.rc`)))
        return { kind: "absent", reason: `${program} is not installed.` };
      const isPrinted = program !== "python" && variable === undefined;
      const values = isPrinted ? numbersOf(text("out")) : (read[placeOf[k]![i]!] ?? []);
      if (typeof values === "string") return { kind: "refused", reason: values };
      const [lack] = program === "python" ? [] : (lacks?.exec(text("err")) ?? []);
      if (lack !== undefined) return { kind: "absent", reason: `${program}: ${lack}` };
      const failed = program !== "python" && (text("rc").trim() !== "0" || values.length === 0);
      return failed ? { kind: "refused", reason: text("out") + text("err") } : { kind: "values", values };
    }),
  );
}

type Cells = readonly (number | null)[];

function numbersOf(text: string): (number | null)[] {
  return text
    .split(/[\s,]+/)
    .filter((word) => /^([-+]?[\d.]+(e[-+]?\d+)?|nan|NA)$/i.test(word))
    .map((word) => (/^na/i.test(word) || Math.abs(Number(word)) > 1e30 ? null : Number(word)));
}

/** Describes how an outcome differs from the expected one; null if it does not. */
export function faultOf(outcome: Outcome, { expected, tolerance = 0 }: Operation): string | null {
  if (outcome.kind === "absent") return outcome.reason;
  if (outcome.kind === "refused")
    return expected instanceof RegExp && expected.test(outcome.reason) ? null : `It was refused: ${outcome.reason}`;
  const { values } = outcome;
  if (expected instanceof RegExp) return `It returned ${values.length} values instead of an error.`;
  if (values.length !== expected.length) return `${values.length} values instead of ${expected.length}`;
  const isWrong = (value: number | null, wanted: number | null): boolean =>
    wanted === null || value === null ? wanted !== value : !(Math.abs(value - wanted) <= tolerance);
  const wrong = values.findIndex((value, i) => isWrong(value, expected[i] ?? null));
  return wrong < 0 ? null : `${values[wrong]} instead of ${expected[wrong]} at ${wrong}`;
}

const DOCS = join(import.meta.dirname, "../../docs/files.md");

/**
 * A generated part of `docs/files.md`, between two marks. With ZENITH_DOCS=1 it is rewritten.
 *
 * @param absent lines whose tool is not installed: they stay if they are in the document already
 * @returns the text of the part
 */
export function generatedPart(name: string, lines: readonly string[], absent: readonly string[] = []): string {
  const [start, end] = [`<!-- ${name}: generated -->`, `<!-- ${name}: end -->`];
  const docs = readFileSync(DOCS, "utf8");
  const [from, to] = [docs.indexOf(start) + start.length, docs.indexOf(end)];
  const current = docs.slice(from, to).trim();
  if (process.env["ZENITH_DOCS"] !== "1") return current;
  const before = new Set(current.split("\n"));
  const text = lines.filter((line) => !absent.includes(line) || before.has(line)).join("\n");
  writeFileSync(DOCS, `${docs.slice(0, from)}\n\n${text}\n\n${docs.slice(to)}`);
  return text;
}
