import { AppName } from '../services';
import { declaredSettings } from './declared-settings';
import { combinedSettings } from './fixed-settings';
import { GivenSetting } from './given-settings';

/** Environment of an instance: the stack's values, and the user's settings that the app declares. */
export function withSettings(
  app: AppName,
  own: Readonly<Record<string, string>>,
  settings: readonly GivenSetting[],
): Record<string, string> {
  const declared = declaredSettings();
  const result = { ...own };
  for (const { name, value } of settings)
    if (declared.get(name)?.apps.includes(app))
      result[name] = combinedSettings.has(name)
        ? [...new Set([...listOf(own[name]), ...listOf(value)])].join(',')
        : value;
  return result;
}

function listOf(text = ''): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
