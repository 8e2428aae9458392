import type { Endpoint } from "../http/route.ts";
import { Faults, type FaultRule } from "./types.ts";

/** Decides which faults a request has; the same seed and the same requests give the same faults. */
export class FaultPlan {
  #rules: { readonly rule: FaultRule; left: number }[] = [];
  #state: number;

  constructor(rules: readonly FaultRule[], seed: number) {
    this.#state = seed >>> 0;
    this.set(rules);
  }

  set(rules: readonly FaultRule[]): void {
    this.#rules = rules.map((rule) => ({ rule, left: rule.next ?? Infinity }));
  }

  strike(endpoint: Endpoint): Faults {
    const struck = this.#rules.filter((entry) => {
      const { endpoints, probability = 1 } = entry.rule;
      if (entry.left <= 0 || (endpoints && !endpoints.includes(endpoint))) return false;
      if (probability < 1 && this.#chance() >= probability) return false;
      entry.left--;
      return true;
    });
    return new Faults(struck.map((entry) => entry.rule.fault));
  }

  /** A number from 0 to 1 (mulberry32). */
  #chance(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }
}
