import { isPlainHttp } from "#shared/service/plainHttp.ts";

export interface Typed {
  readonly name: string;
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly remember: boolean;
  /** Of this key and this address: another one is asked for anew. */
  readonly allowsPlainHttp: boolean;
}

/** The name that is given where none was typed: the host, as far as one can be read. */
export function nameFor({ name, baseUrl }: Pick<Typed, "name" | "baseUrl">): string {
  if (name.trim() !== "") return name.trim();
  const address = baseUrl.trim();
  try {
    return new URL(address.includes("://") ? address : `https://${address}`).hostname;
  } catch {
    return "";
  }
}

export interface Problems {
  readonly name?: string;
  readonly baseUrl?: string;
  readonly apiKey?: string;
}

/** What stands against what was typed, said beside the fields. @param taken names of the kept connections */
export function problemsOf(typed: Typed, taken: readonly string[]): Problems {
  const name = nameFor(typed);
  return {
    ...(typed.baseUrl.trim() === "" ? { baseUrl: "Type the address of the service." } : {}),
    ...(typed.apiKey === "" ? { apiKey: "Type the API key." } : {}),
    ...(typed.apiKey !== "" && isPlainHttp(typed.baseUrl) && !typed.allowsPlainHttp
      ? { apiKey: "It would be sent unencrypted: allow that below, or use https://." }
      : {}),
    // Said here before the core refuses it: the connection of that name has a cache of its own.
    ...(taken.includes(name)
      ? { name: `“${name}” exists already. Choose another name, or give that one a new key.` }
      : {}),
  };
}
