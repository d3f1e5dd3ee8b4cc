import { Field } from '../../../libs/runtime/src/config';
import { fieldsOf } from './service-fields';
import { AppName, apps } from '../services';

/** A setting as the services declare it. */
export interface DeclaredSetting {
  readonly name: string;
  /** The services that declare it. */
  readonly apps: readonly AppName[];
  /** Their declarations; the meanings differ, accepted values seldom do. */
  readonly fields: readonly Field<unknown>[];
}

/** All settings of all services, by name. A secret may come from a file, which `<NAME>_FILE` names. */
export function declaredSettings(): ReadonlyMap<string, DeclaredSetting> {
  const settings = new Map<string, DeclaredSetting>();
  for (const app of apps)
    for (const [name, field] of Object.entries(fieldsOf(app)))
      for (const each of field.secret ? [name, `${name}_FILE`] : [name]) {
        const known = settings.get(each) ?? { name: each, apps: [], fields: [] };
        settings.set(each, { name: each, apps: [...known.apps, app], fields: [...known.fields, field] });
      }
  return settings;
}
