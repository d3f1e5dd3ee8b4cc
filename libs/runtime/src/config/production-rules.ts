import { parseUrl } from '../url';
import { Field, Source } from './config';
import { KeyRing } from './fields';

/** A requirement on a value in production, in addition to its format. */
export interface ProductionRule<Value> {
  /** Continues "in production it must"; shown in the refusal and in the docs. */
  readonly needs: string;
  readonly isMet: (value: Value) => boolean;
}

/** The same field, which in production refuses a value that breaks the rule, also when a live secret changes. */
export function inProduction<Value>(rule: ProductionRule<Value>, field: Field<Value>): Field<Value> {
  return {
    ...field,
    production: rule.needs,
    parse: (text: string, source?: Source): Value => {
      const value = field.parse(text, source);
      if (source?.production && !rule.isMet(value)) throw new Error(`is unsafe: in production it must ${rule.needs}`);
      return value;
    },
  };
}

/** An address whose traffic is encrypted and authenticated. */
export const https: ProductionRule<string> = {
  needs: 'begin with https://',
  isMet: (address) => address.startsWith('https://'),
};

/** The same rule for an optional address. */
export const httpsIfGiven: ProductionRule<string> = {
  needs: 'begin with https:// unless it is empty',
  isMet: (address) => address === '' || https.isMet(address),
};

/** The same rule for a list. */
export const allHttps: ProductionRule<readonly string[]> = {
  needs: 'hold addresses that begin with https:// only',
  isMet: (addresses) => addresses.every(https.isMet),
};

/** For settings that only development needs. */
export const leftEmpty: ProductionRule<readonly string[]> = {
  needs: 'be empty',
  isMet: (values) => values.length === 0,
};

/** For settings that are optional outside of production. */
export const given: ProductionRule<string> = { needs: 'be given', isMet: (text) => text !== '' };

/** For trusted networks. */
export const notEverybody: ProductionRule<readonly string[]> = {
  needs: 'name networks, not every address (/0)',
  isMet: (networks) => networks.every((network) => !/\/0+$/.test(network)),
};

/** A secret that two machines share. */
export const strongSecret: ProductionRule<string> = {
  needs: 'be a random text of at least 16 characters (openssl rand -base64 24), not one of development',
  isMet: (secret) => isStrong(secret, 16),
};

/** Secrets that are a service's only protection. */
export const strongTokens: ProductionRule<readonly string[]> = {
  needs: 'hold random texts of at least 32 characters (openssl rand -base64 32), none of development',
  isMet: (tokens) => tokens.every((token) => isStrong(token, 32)),
};

/** Keys that cannot be guessed. */
export const randomKeys: ProductionRule<KeyRing> = {
  needs: 'hold keys of 32 random bytes (openssl rand -base64 32), none of development',
  isMet: (ring) => ring.every(({ key }) => isRandom(key)),
};

/** Postgres whose certificate and name are checked. */
export const verifiedPostgres: ProductionRule<string> = {
  needs: 'have sslmode=verify-full and a random password of at least 16 characters, not one of development',
  isMet: (address) => sslModeOf(address) === 'verify-full' && isStrong(passwordOf(address), 16),
};

/** Redis over TLS. */
export const encryptedRedis: ProductionRule<string> = {
  needs: 'begin with rediss:// and have a random password of at least 16 characters, not one of development',
  isMet: (address) => address.startsWith('rediss://') && isStrong(passwordOf(address), 16),
};

/** Texts from examples and development files. */
const ofDevelopment = /development|example|change-?me|long-random-text/i;

function isStrong(secret: string, lengthMin: number): boolean {
  return secret.length >= lengthMin && new Set(secret).size >= 8 && !ofDevelopment.test(secret);
}

/** Random bytes rarely repeat or count upwards, and are no text. All but one random key in 10^12 meet each bound. */
function isRandom(key: Buffer): boolean {
  const steps = key.subarray(1).filter((byte, at) => byte === ((key[at] + 1) & 0xff)).length;
  return new Set(key).size >= 18 && steps < 8 && !key.every((byte) => byte >= 0x20 && byte < 0x7f);
}

function sslModeOf(address: string): string | null {
  return parseUrl(address)?.searchParams.get('sslmode') ?? null;
}

function passwordOf(address: string): string {
  return decodeURIComponent(parseUrl(address)?.password ?? '');
}
