import { useState } from "react";
import type { OrphanedCache } from "#shared/bridge/methods/connections.ts";
import { useCall } from "../../ask/useCall.ts";
import { bridge } from "../../bridge/index.ts";
import { openConnection } from "../../stores/connection.ts";
import { Form, TextField } from "../../ui/fields.tsx";
import { nameFor } from "./connectionInput.ts";
import classes from "./start.module.css";

/** The form that creates a connection for a cache without one, and opens it. */
export function AdoptForm(props: { readonly cache: OrphanedCache; readonly onDone: () => void }) {
  const { cache, onDone } = props;
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
    onDone();
    await openConnection(answer.value.id);
  };
  return (
    <Form
      className={classes["form"]}
      onSubmit={submit}
      fault={fault}
      action={{ label: "Adopt", onCancel: onDone, isPending: isBusy }}
    >
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
