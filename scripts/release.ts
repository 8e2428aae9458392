// node scripts/release.ts <tag>: checks in seconds, with Node alone, that a tag can become a release, before anything is built.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { releaseFeed } from "./manifests.ts";

/** The part of package.json that a release shows to its users. */
export interface ReleaseIdentity {
  readonly version: string;
  readonly releases: string;
  readonly homepage: string;
  readonly author: { readonly name: string; readonly email: string };
}

/** What prevents a release, each in a sentence. */
export function releaseProblems(tag: string, identity: ReleaseIdentity, changelog: string): string[] {
  const { version, releases, homepage, author } = identity;
  const problems: string[] = [];
  if (!/^\d+\.\d+\.\d+$/.test(version)) problems.push(`The version ${version} of package.json is not three numbers.`);
  if (tag !== `v${version}`)
    problems.push(`The tag is ${tag}, the version in package.json ${version}: tag v${version}.`);
  if (!hasNotes(changelog, version)) problems.push(`CHANGELOG.md has no section “## ${version}” with changes.`);
  if (hasNotes(changelog, "Unreleased"))
    problems.push(`CHANGELOG.md lists changes under “Unreleased”: move them to “## ${version}”.`);
  const addresses = { releases, homepage, "author.email": `https://${author.email.split("@")[1] ?? ""}/` };
  for (const [field, address] of Object.entries(addresses)) {
    const url = URL.parse(address);
    if (url?.protocol !== "https:" || url.hostname.endsWith(".invalid"))
      problems.push(`“${field}” in package.json is a placeholder or no HTTPS address: ${address}.`);
  }
  return problems;
}

function hasNotes(changelog: string, section: string): boolean {
  try {
    return (JSON.parse(releaseFeed(changelog, section, "")) as { notes: unknown[] }).notes.length > 0;
  } catch {
    return false;
  }
}

if (import.meta.main) {
  const root = join(import.meta.dirname, "..");
  const read = (name: string): string => readFileSync(join(root, name), "utf8");
  const [tag = ""] = process.argv.slice(2);
  const problems = releaseProblems(tag, JSON.parse(read("package.json")) as ReleaseIdentity, read("CHANGELOG.md"));
  for (const problem of problems) console.error(problem);
  if (problems.length === 0) console.log(`${tag} can be built.`);
  process.exit(problems.length === 0 ? 0 : 1);
}
