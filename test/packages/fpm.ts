// node fpm.ts <record> …: stands for fpm, which only electron-builder's download brings. Writes the arguments that it is
// given to <record>/<type>.json; `makePackage` makes the package from them with the system's own dpkg-deb or rpmbuild.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** The arguments of fpm: options by name, all values of each, and the files as `source=target`. */
export interface FpmArguments {
  readonly options: ReadonlyMap<string, readonly string[]>;
  readonly files: readonly (readonly [from: string, to: string])[];
}

const NAMES: Readonly<Record<string, string>> = { "-s": "--input", "-t": "--type", "-d": "--depends" };

export function parseArguments(args: readonly string[]): FpmArguments {
  const options = new Map<string, string[]>();
  const files: [string, string][] = [];
  const rest = args.values();
  for (const arg of rest) {
    if (!arg.startsWith("-")) {
      const at = arg.lastIndexOf("=");
      files.push([arg.slice(0, at), arg.slice(at + 1)]);
    } else if (files.length > 0) throw new Error(`fpm takes options before files only: ${arg}`);
    else if (arg !== "--force") {
      const [, name = "", value = rest.next().value ?? ""] = /^(--?[\w-]+)(?:=([^]*))?$/.exec(arg) ?? [];
      const long = (NAMES[name] ?? name).slice(2);
      options.set(long, [...(options.get(long) ?? []), value]);
    }
  }
  return { options, files };
}

function run(program: string, ...args: string[]): void {
  const done = spawnSync(program, args, { encoding: "utf8" });
  if (done.status !== 0) throw new Error(`${program} failed: ${done.error ?? ""}${done.stdout}${done.stderr}`);
}

/** Makes the package. As in fpm, the last value of an option counts. @returns its path */
export function makePackage(args: readonly string[]): string {
  const { options, files } = parseArguments(args);
  const last = (name: string): string => options.get(name)?.at(-1) ?? "";
  const work = mkdtempSync(join(tmpdir(), "zenith-fpm-"));
  try {
    const root = join(work, "root");
    for (const [from, to] of files) {
      mkdirSync(dirname(join(root, to)), { recursive: true });
      cpSync(from, join(root, to), { recursive: true });
    }
    if (last("type") === "deb") makeDeb(root, last, options.get("depends") ?? []);
    else makeRpm(work, last, options);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return last("package");
}

type Last = (name: string) => string;

function makeDeb(root: string, last: Last, depends: readonly string[]): void {
  const control = join(root, "DEBIAN");
  mkdirSync(control);
  const [first = "", ...lines] = last("description").split("\n");
  const fields = {
    Package: last("name"),
    Version: last("version"),
    Architecture: last("architecture"),
    Maintainer: last("maintainer"),
    Depends: depends.join(", "),
    Section: last("category"),
    Priority: last("deb-priority"),
    Homepage: last("url"),
    Description: [first, ...lines.map((line) => ` ${line}`)].join("\n"),
  };
  writeFileSync(
    join(control, "control"),
    Object.entries(fields)
      .map(([name, value]) => `${name}: ${value}\n`)
      .join(""),
  );
  for (const [option, name] of [
    ["after-install", "postinst"],
    ["after-remove", "postrm"],
  ] as const)
    writeFileSync(join(control, name), readFileSync(last(option)), { mode: 0o755 });
  const documents = join(root, "usr", "share", "doc", last("name"));
  mkdirSync(documents, { recursive: true });
  cpSync(last("deb-changelog"), join(documents, "changelog"));
  run("gzip", "-9n", join(documents, "changelog"));
  run("dpkg-deb", "--root-owner-group", "-Zgzip", "-z1", "--build", root, last("package"));
}

function makeRpm(work: string, last: Last, options: FpmArguments["options"]): void {
  const root = join(work, "root");
  const files = readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((path) => !statSync(join(root, path)).isDirectory())
    .map((path) => `"/${path}"`);
  const own = (options.get("directories") ?? []).flatMap((folder) => [
    folder,
    ...readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .map((name) => join(folder, name))
      .filter((path) => statSync(join(root, path)).isDirectory()),
  ]);
  const spec = `Name: ${last("name")}
Version: ${last("version")}
Release: 1
Summary: ${last("rpm-summary")}
License: ${last("license")}
URL: ${last("url")}
AutoReqProv: no
${(options.get("depends") ?? []).map((name) => `Requires: ${name}`).join("\n")}
%define __spec_install_post true
%define _binary_payload w0.gzdio
%description
${last("description")}
%install
mkdir -p %{buildroot}
cp -a "${root}/." %{buildroot}
%post
${readFileSync(last("after-install"), "utf8")}
%postun
${readFileSync(last("after-remove"), "utf8")}
%files
%defattr(-,root,root,-)
${[...own.map((folder) => `%dir "${folder}"`), ...files].join("\n")}
`;
  writeFileSync(join(work, "package.spec"), spec);
  const defines = (options.get("rpm-rpmbuild-define") ?? []).flatMap((define) => ["--define", define]);
  run(
    "rpmbuild",
    "-bb",
    "--define",
    `_topdir ${work}`,
    "--define",
    `_rpmdir ${work}/made`,
    ...defines,
    join(work, "package.spec"),
  );
  const [made = ""] = readdirSync(join(work, "made"), { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".rpm"),
  );
  cpSync(join(work, "made", made), last("package"));
}

/** Copies temporary files that arguments name, which electron-builder deletes. @returns the arguments with the copies */
function withCopies(record: string, args: readonly string[]): string[] {
  return args.map((arg) => {
    const [, source = "", target = ""] = /^(\/[^=]*[^=/])(=.*)?$/.exec(arg) ?? [];
    if (!source.startsWith(tmpdir()) || !statSync(source, { throwIfNoEntry: false })?.isFile()) return arg;
    const copy = join(record, source.replaceAll("/", "_"));
    cpSync(source, copy);
    return `${copy}${target}`;
  });
}

if (import.meta.main) {
  const [record = "", ...given] = process.argv.slice(2);
  const args = withCopies(record, given);
  const { options } = parseArguments(args);
  writeFileSync(join(record, `${options.get("type")?.[0]}.json`), JSON.stringify(args));
  // electron-builder looks at it.
  writeFileSync(options.get("package")?.at(-1) ?? "", "");
}
