import { readFileSync } from 'node:fs';
import { errorMessage } from '../errors';

/** The origin of a text and the deployment it is for. */
export interface Source {
  /** The file that held it. */
  readonly file?: string;
  /** Whether this is a production deployment. */
  readonly production: boolean;
}

/** One configuration field, declared once: `.env.example`, docs and the start-up log are derived from it. */
export interface Field<Value> {
  readonly meaning: string;
  /** For example ms, s, bytes; omitted for text. */
  readonly unit?: string;
  /** As written in the environment; a field without a default is required. */
  readonly default?: string;
  readonly example?: string;
  /** Never shown; may come from a file named by `<NAME>_FILE`. */
  readonly secret?: boolean;
  /** A change of its file is applied without a restart. */
  readonly live?: boolean;
  /** Requirements of production in addition to the format (`inProduction`). */
  readonly production?: string;
  /** Returns the value of a text, or throws a sentence that says what is expected, without the text of a secret. */
  readonly parse: (text: string, source?: Source) => Value;
}

/** Fields by their environment name. */
export type Fields = Readonly<Record<string, Field<unknown>>>;

/** The values of declared fields. */
export type ConfigOf<F extends Fields> = { readonly [Name in keyof F]: F[Name] extends Field<infer V> ? V : never };

/** A missing or malformed field; the process stops with this message, which names every field at fault. */
export class ConfigError extends Error {}

/** Reads and checks all declared fields at once; throws one `ConfigError` that names each wrong or unsafe field. */
export function readConfig<F extends Fields>(fields: F, env: NodeJS.ProcessEnv): ConfigOf<F> {
  const values: Record<string, unknown> = {};
  const problems: string[] = [];
  const production = env.ENVIRONMENT === 'production';
  for (const [name, field] of Object.entries(fields)) {
    try {
      const file = (field.secret && env[`${name}_FILE`]) || undefined;
      const text = textOf(env[name], file) ?? field.default;
      if (text === undefined) throw new Error('is required');
      values[name] = field.parse(text, { file, production });
    } catch (error) {
      problems.push(`${name} ${errorMessage(error)} (${field.meaning})`);
    }
  }
  if (problems.length > 0) throw new ConfigError(`Configuration: ${problems.join('; ')}`);
  return Object.freeze(values) as ConfigOf<F>;
}

/** The configuration as it may be logged: secrets replaced by whether they are set. */
export function describeConfig<F extends Fields>(fields: F, config: ConfigOf<F>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      name,
      field.secret ? '(secret, set)' : config[name as keyof F & string],
    ]),
  );
}

function textOf(variable: string | undefined, file: string | undefined): string | undefined {
  const text = file ? readFileSync(file, 'utf8').trim() : variable;
  return text === '' ? undefined : text;
}
