import type { Region } from "../site.ts";

/** A part of the world for generated stations: their positions, and the parts of their names. */
export interface Area {
  readonly countryCode: string;
  readonly countryName: string;
  /** South, west, north, east, degrees: a box that is mostly land. */
  readonly box: readonly [number, number, number, number];
  /** Lowest and highest terrain, metres above the geoid. */
  readonly ground: readonly [number, number];
  /** Geoid undulation in the centre of the box, metres. */
  readonly geoidM: number;
  readonly driftDeg: number;
  readonly beginnings: readonly string[];
  readonly endings: readonly string[];
}

const words = (text: string): readonly string[] => text.split(" ");

export const AREAS: readonly Area[] = [
  {
    countryCode: "FI",
    countryName: "Finland",
    box: [60.6, 22, 66, 29],
    ground: [20, 260],
    geoidM: 18,
    driftDeg: 75,
    beginnings: words(
      "Koivu Hiekka Kivi Kuusi Lehto Metsä Pelto Raja Suvi Talvi Ukko Vuori Haapa Hauki Kettu Karhu Niitty",
    ),
    endings: words("niemi järvi mäki lahti koski saari kangas harju ranta salmi"),
  },
  {
    countryCode: "SE",
    countryName: "Sweden",
    box: [57, 13, 65, 17],
    ground: [10, 420],
    geoidM: 30,
    driftDeg: 75,
    beginnings: words("Ek Björk Gran Tall Lind Sten Sand Berg Norr Söder Öster Väster Älg Svan Råg Ljung"),
    endings: words("by torp vik ås dal hult näs fors bäck sjö"),
  },
  {
    countryCode: "PL",
    countryName: "Poland",
    box: [50.2, 15.5, 53.8, 23],
    ground: [40, 320],
    geoidM: 33,
    driftDeg: 80,
    beginnings: words("Brzoz Dąb Lip Sosn Jawor Olsz Wierzb Kamien Piask Borow Jezior Lesz"),
    endings: words("owo ówka anka ice ina no ewo ów"),
  },
  {
    countryCode: "DE",
    countryName: "Germany",
    box: [48.2, 8.2, 53.2, 13.8],
    ground: [10, 640],
    geoidM: 45,
    driftDeg: 80,
    beginnings: words(
      "Eichen Buchen Linden Birken Stein Sand Wiesen Mühl Hirsch Falken Schwarz Weißen Grün Ober Unter",
    ),
    endings: words("bach berg feld hausen dorf burg tal au rode stedt"),
  },
  {
    countryCode: "FR",
    countryName: "France",
    box: [44, 0, 49.2, 5.8],
    ground: [20, 780],
    geoidM: 48,
    driftDeg: 80,
    beginnings: words("Mont Clair Beau Haut Bel Vieux Neuf Rocher Chêne Pré Grand Font"),
    endings: words("val mont lieu court ville champ bois vert fort aine"),
  },
  {
    countryCode: "ES",
    countryName: "Spain",
    box: [37.8, -5.8, 42.4, -1],
    ground: [90, 1180],
    geoidM: 52,
    driftDeg: 80,
    beginnings: words("Villa Torre Fuente Valle Peña Monte Casa Puente Cerro Alto Campo Río"),
    endings: words("luz blanca sol verde nueva real clara mora seca honda"),
  },
  {
    countryCode: "US",
    countryName: "United States",
    box: [33, -114, 46, -84],
    ground: [60, 2100],
    geoidM: -25,
    driftDeg: 85,
    beginnings: words("Cedar Maple Oak Pine Elk Bear Fox Hawk Stone Clear Silver Willow Prairie Red Mill Eagle"),
    endings: words("ridge field ford brook dale view creek mont haven wood"),
  },
  {
    countryCode: "CA",
    countryName: "Canada",
    box: [50, -120, 57, -98],
    ground: [180, 1250],
    geoidM: -20,
    driftDeg: 85,
    beginnings: words("Moose Spruce Birch Caribou Beaver North Snow Loon Grizzly Timber Otter Wolf"),
    endings: words("lake river bay point falls rock bend crossing"),
  },
  {
    countryCode: "BR",
    countryName: "Brazil",
    box: [-22, -55, -8, -43],
    ground: [150, 1050],
    geoidM: -12,
    driftDeg: 280,
    beginnings: words("Serra Campo Lagoa Mata Ribeira Pedra Boa Bela Água Rio Porto Barra"),
    endings: words("linda verde clara alta nova branca fria funda dourada"),
  },
  {
    countryCode: "KE",
    countryName: "Kenya",
    box: [-3, 35, 2.5, 39.5],
    ground: [280, 2250],
    geoidM: -17,
    driftDeg: 265,
    beginnings: words("Mto Ziwa Mlima Shamba Bonde Kisima Jiwe Msitu Nyika Simba"),
    endings: words("ni kubwa refu mpya nyeupe dogo zuri juu"),
  },
  {
    countryCode: "ZA",
    countryName: "South Africa",
    box: [-32.5, 20.5, -24.5, 29.5],
    ground: [250, 1750],
    geoidM: 28,
    driftDeg: 95,
    beginnings: words("Spring Vaal Rooi Wit Groot Klein Blou Water Leeu Doring Olifant Karee"),
    endings: words("fontein berg kloof rivier veld kop dal spruit vlei"),
  },
  {
    countryCode: "IN",
    countryName: "India",
    box: [14, 75, 26, 83],
    ground: [80, 780],
    geoidM: -65,
    driftDeg: 60,
    beginnings: words("Ram Chandra Surya Deva Nil Gopal Raj Lal Hari Kamal Shanti Vijay"),
    endings: words("pur nagar garh gaon abad kot wadi palli"),
  },
  {
    countryCode: "JP",
    countryName: "Japan",
    box: [35.2, 136.5, 38.5, 140],
    ground: [10, 920],
    geoidM: 39,
    driftDeg: 70,
    beginnings: words("Aoi Haru Kita Nishi Minami Higashi Matsu Sugi Taka Naka Asa Yuki Mori"),
    endings: words("yama kawa no hara saki mura zawa da shima oka"),
  },
  {
    countryCode: "AU",
    countryName: "Australia",
    box: [-35.5, 118, -21, 148],
    ground: [60, 620],
    geoidM: 8,
    driftDeg: 95,
    beginnings: words("Wattle Ironbark Emu Gum Saltbush Mulga Red Dry Galah Banksia Cockatoo Mallee"),
    endings: [" Creek", " Downs", " Plains", " Hill", " Station", " Well", " Flat", " Springs"],
  },
];

/** Weather of an area, which moves over all its stations. */
export function regionOf(area: Area): Region {
  const [south, west, north, east] = area.box;
  return {
    name: `area-${area.countryCode}`,
    latitudeDeg: (south + north) / 2,
    longitudeDeg: (west + east) / 2,
    driftDeg: area.driftDeg,
  };
}
