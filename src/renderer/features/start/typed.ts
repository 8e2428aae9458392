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

/** What stands against a key that was typed for an address; empty where nothing does. */
export function keyProblem(apiKey: string, baseUrl: string, allowsPlainHttp: boolean): Pick<Problems, "apiKey"> {
  if (apiKey.trim() === "") return { apiKey: "Enter the API key." };
  if (isPlainHttp(baseUrl) && !allowsPlainHttp)
    return { apiKey: "It would be sent unencrypted: tick the box below to allow that, or use https://." };
  return {};
}

/** What stands against what was typed, said beside the fields. @param taken names of the kept connections */
export function problemsOf(typed: Typed, taken: readonly string[]): Problems {
  const name = nameFor(typed);
  return {
    ...(typed.baseUrl.trim() === "" ? { baseUrl: "Enter the address of the service." } : {}),
    ...keyProblem(typed.apiKey, typed.baseUrl, typed.allowsPlainHttp),
    // Said here before the core refuses it: the connection of that name has a cache of its own.
    ...(taken.includes(name)
      ? { name: `A connection “${name}” exists already. Choose another name, or enter a new key for that connection.` }
      : {}),
  };
}
