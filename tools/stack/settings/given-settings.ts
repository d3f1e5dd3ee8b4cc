/** Where the user set a value. */
export type SettingSource = 'the environment' | '.env';

/** A setting that the user gave to the local stack; its value may be a secret and is never shown. */
export interface GivenSetting {
  readonly name: string;
  readonly value: string;
  readonly source: SettingSource;
}

/** The given settings among some names; the environment wins over `.env`, even with an empty value, which unsets it. */
export function givenSettings(
  names: Iterable<string>,
  env: NodeJS.ProcessEnv,
  dotEnv: Readonly<Record<string, string>>,
): GivenSetting[] {
  const given: GivenSetting[] = [];
  for (const name of names) {
    const source = env[name] === undefined ? '.env' : 'the environment';
    const value = env[name] ?? dotEnv[name] ?? '';
    if (value !== '') given.push({ name, value, source });
  }
  return given;
}
