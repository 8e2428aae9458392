/** What Electron says about a right click that the page did not handle. */
export interface ContextPlace {
  readonly isEditable: boolean;
  readonly selectionText: string;
  readonly editFlags: Readonly<Record<string, boolean>>;
}

/** Messages of the isolated world of a page. Ports are identified by the id of the remaining end. */
export type FromPage =
  | { readonly t: "hello"; readonly url: string }
  | { readonly t: "send"; readonly channel: string; readonly args: unknown[]; readonly ports: [string, string][] }
  | { readonly t: "context-menu"; readonly place: ContextPlace }
  | { readonly t: "invoke"; readonly id: number; readonly channel: string; readonly args: unknown[] }
  | PortMessage;

export type ToPage =
  | { readonly t: "ipc"; readonly channel: string; readonly args: unknown[]; readonly ports: string[] }
  | { readonly t: "reply"; readonly id: number; readonly error: string | null; readonly value: unknown }
  | PortMessage;

export type PortMessage =
  | { readonly t: "port"; readonly id: string; readonly data: unknown }
  | { readonly t: "close"; readonly id: string };

/** Messages between the main process and a utility process. */
export type Wire = { readonly t: "message"; readonly data: unknown; readonly ports: string[] } | PortMessage;
