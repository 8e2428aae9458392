import type { OrphanedCache } from "#shared/bridge/methods/connections.ts";
import { orphansOf } from "../../ask/questions.ts";
import { useAsk } from "../../ask/useAsk.ts";
import { openDialog } from "../../stores/dialogs.ts";
import { Button } from "../../ui/Button.tsx";
import { PageSection } from "../../ui/layout.tsx";
import { bytes } from "../../ui/text.ts";
import { StartSection } from "./StartSection.tsx";
import classes from "./start.module.css";
import { useState } from "react";
import { useCall } from "../../ask/useCall.ts";
import { bridge } from "../../bridge/index.ts";
import { openConnection } from "../../stores/connection.ts";
import { Form, TextField } from "../../ui/fields.tsx";
import { nameFor } from "./connectionInput.ts";
import { useClose } from "../../ui/Dialog.tsx";

const TITLE = "Caches without a connection";

/** The caches without a connection, with buttons to adopt them; nothing if there are none. */
export function Orphans({ isSection = false }: { readonly isSection?: boolean }) {
  const { value: caches } = useAsk(orphansOf, {}, { delayMs: 0 });
  if (caches === null || caches.length === 0) return null;
  const list = (
    <>
      <p className={classes["text"]}>
        Downloaded data without a connection. Adopt a cache to make a connection for it and use its data.
      </p>
      <ul className="mt-2 border-t border-line list-none">
        {caches.map((cache) => (
          <li key={cache.path} className="row border-b border-line">
            <p className="row flex-1 gap-4 min-w-0 h-10 px-2">
              <span className="truncate font-medium">{orphanName(cache)}</span>
              <span className="truncate flex-1 text-quiet">{`${cache.baseUrl ?? "address unknown"} · ${bytes(cache.bytes)}`}</span>
            </p>
            <Button aria-label={`Adopt ${orphanName(cache)}`} onPress={() => openDialog({ kind: "adopt", cache })}>
              Adopt…
            </Button>
          </li>
        ))}
      </ul>
    </>
  );
  if (isSection) return <PageSection title={TITLE}>{list}</PageSection>;
  return <StartSection title={TITLE}>{list}</StartSection>;
}

/** Returns the name in the cache, or its file name. */
function orphanName({ name, path }: OrphanedCache): string {
  return name ?? path.split(/[\\/]/).at(-1) ?? path;
}

/** The form that creates a connection for a cache without one, and opens it. */
export function AdoptForm({ cache }: { readonly cache: OrphanedCache }) {
  const close = useClose();
  const [name, setName] = useState(cache.name ?? "");
  const [baseUrl, setBaseUrl] = useState(cache.baseUrl ?? "");
  const { isBusy, fault, run } = useCall();
  const submit = async (): Promise<void> => {
    const effectiveName = nameFor({ name, baseUrl });
    const adopted = {
      path: cache.path,
      ...(effectiveName === "" ? {} : { name: effectiveName }),
      ...(baseUrl.trim() === "" ? {} : { baseUrl }),
    };
    const answer = await run(() => bridge.connections.adopt(adopted));
    if (!answer.ok) return;
    close();
    await openConnection(answer.value.id);
  };
  return (
    <Form className={classes["form"]} onSubmit={submit} fault={fault} action={{ label: "Adopt", isPending: isBusy }}>
      <p className={classes["text"]}>
        {cache.baseUrl === null
          ? "This cache does not contain the address of its service. Enter the address."
          : "This restores the connection. Enter its key before fetching data."}
      </p>
      <p className="caption wrap-anywhere select-text">{cache.path}</p>
      <TextField
        label="Name"
        value={name}
        onChange={setName}
        placeholder={nameFor({ name, baseUrl })}
        autoComplete="off"
        autoFocus
      />
      {/* Data of two services must not mix: an address in the cache cannot be changed. */}
      <TextField
        label="Address of the service"
        type="url"
        value={baseUrl}
        onChange={setBaseUrl}
        placeholder="https://api.example.org"
        isDisabled={cache.baseUrl !== null}
        autoComplete="url"
      />
    </Form>
  );
}
