import { Random } from './random';

/** Weights of the countries of a region's players; the codes are ISO 3166-1 in lower case. */
const shares: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  EU: {
    ...{ ru: 16, pl: 13, de: 12, fr: 10, tr: 9, gb: 8, ua: 7, es: 6, se: 6, it: 5, pt: 5, dk: 5, nl: 4, fi: 4, ro: 4 },
    ...{
      no: 3,
      cz: 3,
      kz: 3,
      by: 3,
      be: 2,
      at: 2,
      ch: 2,
      hu: 2,
      bg: 2,
      rs: 2,
      gr: 2,
      sk: 1,
      hr: 1,
      lt: 1,
      lv: 1,
      ee: 1,
    },
    ...{ ie: 1, si: 1, ba: 1, il: 2, ge: 1, am: 1, is: 1 },
  },
  US: { us: 70, ca: 24, mx: 6 },
  SA: { br: 62, ar: 20, cl: 8, pe: 5, co: 4, uy: 1 },
  SEA: { ph: 26, id: 20, my: 16, th: 12, vn: 12, sg: 8, tw: 3, hk: 3 },
  OCE: { au: 82, nz: 18 },
};

const lots = Object.fromEntries(
  Object.entries(shares).map(([region, countries]) => [
    region,
    Object.entries(countries).flatMap(([country, share]) => Array<string>(share).fill(country)),
  ]),
);

/** The country of a player of a region; a few countries have most of them. */
export function pickCountry(region: string, random: Random): string {
  return random.pick(lots[region]);
}

/** Language of a player of a country. */
export function languageOf(country: string): string {
  return languages[country] ?? 'en';
}

const languages: Readonly<Record<string, string>> = {
  ...{ ru: 'ru', by: 'ru', kz: 'ru', pl: 'pl', de: 'de', at: 'de', fr: 'fr', tr: 'tr', ua: 'uk', es: 'es', mx: 'es' },
  ...{ ar: 'es', it: 'it', pt: 'pt', br: 'pt', se: 'sv', fi: 'fi', dk: 'da', th: 'th', vn: 'vi', id: 'id' },
};
