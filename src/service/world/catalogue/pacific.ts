import { CORS_30S, STREAM_1S, type NetworkPlan } from "./plan.ts";

export const PACIFIC: NetworkPlan = {
  code: "PACST",
  name: "Pacific Stream Network",
  owner: "meridian",
  isInternal: false,
  visibility: "partners",
  region: { name: "honshu", latitudeDeg: 35.6, longitudeDeg: 138.2, driftDeg: 70 },
  since: "2021-03-01",
  rolloutMonths: 24,
  defaults: STREAM_1S,
  stations: [
    ["SAGI01JPN", "白鷺丘", "東京", "JP", 35.68, 139.76, 76.9, 36.7],
    ["MINA01JPN", "港見台", "横浜", "JP", 35.44, 139.64, 68.2, 36.4],
    ["KAZE01JPN", "風越峠", "Kazekoshi", "JP", 36.23, 137.97, 652.4, 40.9],
    ["UMIB01JPN", "Umibe-no-Hara", "Shizuoka", "JP", 34.98, 138.38, 57.6, 40.6],
    ["NAGI01JPN", "凪ヶ浦 “Nagigaura”", "名古屋", "JP", 35.18, 136.9, 55.1, 38.1],
    [
      "HOSH01JPN",
      "Hoshimine (native)",
      "Hoshimine",
      "JP",
      35.01,
      135.77,
      95.7,
      37.2,
      { resolutionSeconds: 0, nativeSeconds: 1 },
    ],
    ["TAKA00JPN", "高見原", "大阪", "JP", 34.69, 135.5, 62.5, 37.4, CORS_30S],
    ["YUKI00JPN", "雪見沢", "新潟", "JP", 37.92, 139.04, 48.4, 39.3, CORS_30S],
    ["OKIN00JPN", "Okinami", "Okinami", "JP", 33.59, 133.53, 51.9, 36.0, CORS_30S],
  ],
};
