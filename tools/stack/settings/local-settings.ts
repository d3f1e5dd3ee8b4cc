import { Field } from '../../../libs/runtime/src/config';
import leven from 'leven';
import { StackFailure } from '../failure';
import { checkoutFolder } from '../folders';
import { portBase } from '../ports';
import { DeclaredSetting, declaredSettings } from './declared-settings';
import { readDotEnv } from './dot-env';
import { combinedSettings, isAsFixed, whyFixed } from './fixed-settings';
import { GivenSetting, givenSettings } from './given-settings';
import { brokerCredentials, stackFields } from './stack-fields';

/** Settings of the user for the local stack, from the environment and `.env`, checked before anything starts. */
export interface LocalSettings {
  /** The environment, with the values of `.env` for the stack itself and for the brokers. */
  readonly environment: NodeJS.ProcessEnv;
  /** Settings that services receive. */
  readonly forServices: readonly GivenSetting[];
  /** Messages for the user: which setting reaches which service, and why others do not. Never a value. */
  readonly notices: readonly string[];
}

/** Reads the environment and `.env` of a checkout; a malformed value is a failure that names its field. */
export function openLocalSettings(env = process.env, folder = checkoutFolder): LocalSettings {
  const dotEnv = readDotEnv(folder);
  const ownSettings = givenSettings(Object.keys(stackFields), env, dotEnv);
  for (const setting of ownSettings) refuseMalformed(setting, [stackFields[setting.name as keyof typeof stackFields]]);
  const credentials = givenSettings(brokerCredentials, env, dotEnv);
  const environment = { ...env, ...valuesOf([...ownSettings, ...credentials]) };

  const declared = declaredSettings();
  const names = [...declared.keys()].filter((name) => !(name in stackFields));
  const given = givenSettings(names, env, dotEnv);
  const fixed = given.filter(({ name }) => whyFixed(name, environment) !== undefined);
  const forServices = given.filter((setting) => !fixed.includes(setting));
  for (const setting of forServices) refuseMalformed(setting, declared.get(setting.name)?.fields ?? []);
  const base = portBase(environment);
  return {
    environment,
    forServices,
    notices: [
      ...unknownNames(Object.keys(dotEnv), [...declared.keys(), ...Object.keys(stackFields)]),
      ...fixed
        .filter(({ name, value }) => !isAsFixed(name, value, base))
        .map(({ name, source }) => `${name} in ${source} is not used, ${whyFixed(name, environment)}.`),
      ...forServices.map((setting) => routeOf(setting, declared.get(setting.name))),
    ],
  };
}

function refuseMalformed({ name, value, source }: GivenSetting, fields: readonly Field<unknown>[]): void {
  // The file of a secret is read by the service.
  if (name.endsWith('_FILE')) return;
  for (const field of fields)
    try {
      field.parse(value);
    } catch (error) {
      throw new StackFailure(`${name} in ${source} ${(error as Error).message} (${field.meaning}).`);
    }
}

function routeOf({ name, source }: GivenSetting, declared: DeclaredSetting | undefined): string {
  const beside = combinedSettings.has(name) ? ', in addition to the entries of the stack' : '';
  return `${name} in ${source} goes to ${declared?.apps.join(', ')}${beside}.`;
}

function unknownNames(given: readonly string[], known: readonly string[]): string[] {
  return given
    .filter((name) => !known.includes(name))
    .map((name) => {
      const [nearest] = [...known].sort((a, b) => leven(name, a) - leven(name, b));
      const isNear = leven(name, nearest) <= Math.max(2, Math.floor(name.length / 4));
      return `${name} in .env is not a setting of Podium${isNear ? `; did you mean ${nearest}?` : ': .env.example lists all.'}`;
    });
}

function valuesOf(settings: readonly GivenSetting[]): Record<string, string> {
  return Object.fromEntries(settings.map(({ name, value }) => [name, value]));
}
