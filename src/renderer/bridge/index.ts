import { createBridgeClient } from "#shared/bridge/client.ts";

const client = createBridgeClient();

/** Calls the core, the same way in every shell. Calls made before the channel is attached wait for it. */
export const bridge = client.bridge;
export const { attach, emit } = client;
