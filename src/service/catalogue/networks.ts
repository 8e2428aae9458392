import { z } from "zod";
import { LIMITS } from "#shared/service/query.ts";
import type { Exchange } from "../exchange.ts";
import { check, collect } from "../http/parameters.ts";
import type { Refusal } from "../http/refusal.ts";
import { sendJson } from "../http/send.ts";
import { entitledStations } from "../organizations.ts";
import { networkWire, pageOf } from "./wire.ts";

const { min, max } = LIMITS.networksPageSize;
const querySchema = z.object({
  page: z.coerce.number().int().min(1).default(1),
  page_size: z.coerce.number().int().min(min).max(max).optional(),
});

/** GET /api/v1/networks (4.3): the networks with a station that the organization may see, by code. */
export async function networks(exchange: Exchange): Promise<Refusal | null> {
  const { world, organization, settings } = exchange;
  const collected = collect(exchange.search, { once: [], integers: ["page", "page_size"] });
  if (!collected.ok) return collected.error;
  const checked = check(querySchema, collected.value);
  if (!checked.ok) return checked.error;
  const entitled = new Set(entitledStations(world, organization).map((station) => station.network.id));
  const found = world.networks
    .filter((network) => entitled.has(network.id))
    .toSorted((a, b) => (a.code < b.code ? -1 : 1));
  const { page: number, page_size: size = settings.networksPageSize } = checked.value;
  const page = pageOf(found, number, size, settings.earlierForm);
  await sendJson(exchange, {
    networks: page.items.map((network) => networkWire(network, organization)),
    pagination: page.pagination,
  });
  return null;
}
