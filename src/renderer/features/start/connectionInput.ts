import { isPlainHttp } from "#shared/addresses.ts";

/** The input of the form for a new connection. */
export interface ConnectionInput {
  readonly name: string;
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly remember: boolean;
  /** Confirmed for this key and address only; changing the address resets it. */
  readonly allowsPlainHttp: boolean;
}

/** Returns the typed name, or else the host of the address, or an empty string. */
export function nameFor({ name, baseUrl }: Pick<ConnectionInput, "name" | "baseUrl">): string {
  if (name.trim() !== "") return name.trim();
  const address = baseUrl.trim();
  return URL.parse(address.includes("://") ? address : `https://${address}`)?.hostname ?? "";
}

export interface Problems {
  readonly name?: string;
  readonly baseUrl?: string;
  readonly apiKey?: string;
}

/** Returns the problem with a key for an address, if there is one. */
export function keyProblem(apiKey: string, baseUrl: string, allowsPlainHttp: boolean): Pick<Problems, "apiKey"> {
  if (apiKey.trim() === "") return { apiKey: "Enter the API key." };
  if (isPlainHttp(baseUrl) && !allowsPlainHttp)
    return { apiKey: "It would be sent unencrypted. Tick the box below to allow that, or use https://." };
  return {};
}

/** Validates the input; the problems are shown beside the fields. @param taken names of the saved connections */
export function problemsOf(typed: ConnectionInput, taken: readonly string[]): Problems {
  const name = nameFor(typed);
  return {
    ...(typed.baseUrl.trim() === "" ? { baseUrl: "Enter the address of the service." } : {}),
    ...keyProblem(typed.apiKey, typed.baseUrl, typed.allowsPlainHttp),
    // Checked before the core refuses the name, because that connection has a cache of its own.
    ...(taken.includes(name)
      ? { name: `A connection “${name}” exists already. Choose another name, or enter a new key for that connection.` }
      : {}),
  };
}
