import { createBridgeClient } from "#shared/bridge/client.ts";

const client = createBridgeClient();

/** The way to the core: the same in every shell. Calls made before there is a channel wait for it. */
export const bridge = client.bridge;
export const { attach, tell } = client;
