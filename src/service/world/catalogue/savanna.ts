import { CORS_30S, TELCO_30S, type NetworkPlan } from "./plan.ts";

export const SAVANNA: NetworkPlan = {
  code: "SAVAN",
  name: "Savanna Vapour Observatory",
  owner: "aurora",
  isInternal: false,
  visibility: "organization",
  region: { name: "rift", latitudeDeg: -1.5, longitudeDeg: 36.5, driftDeg: 265 },
  since: "2020-09-01",
  rolloutMonths: 36,
  defaults: CORS_30S,
  stations: [
    ["MLIM00KEN", "Mlima Mrefu", "Nairobi", "KE", -1.29, 36.82, 1651.3, -15.9],
    ["ZIWA00KEN", "Ziwa Kubwa", "Kisumu", "KE", -0.09, 34.77, 1138.6, -14.2],
    ["PWAN00KEN", "Pwani ya Kusi", "Mombasa", "KE", -4.04, 39.67, -8.4, -28.9],
    ["TARA00TZA", "Tarangani", "Arusha", "TZ", -3.39, 36.68, 1372.9, -17.1],
    ["BAND00TZA", "Bandari ya Zamani", "Dar es Salaam", "TZ", -6.79, 39.21, 1.7, -27.4],
    ["NILE00UGA", "Nile Gate, Weir 2", "Jinja", "UG", 0.44, 33.2, 1127.0, -12.8, TELCO_30S],
    ["AMBA00ETH", "ነፋስ አምባ", "Addis Ababa", "ET", 9.02, 38.75, 2362.4, -6.3],
    ["NOUR00EGY", "تل النور", "القاهرة", "EG", 30.04, 31.24, 46.2, 15.4, TELCO_30S],
    ["KIGA00RWA", "Umusozi w’Ikirere", "Kigali", "RW", -1.95, 30.06, 1555.8, -11.4],
  ],
};
