import { randomBytes } from 'node:crypto';
import { Field } from '../../libs/runtime/src/config';

/**
 * A text for a secret field as a secret store would provide it: the template with random values in place of the stored
 * ones, in a form that the field's own parser accepts.
 */
export function placeholderSecret({ parse }: Field<unknown>, template: string): string {
  const stored = [randomBytes(32).toString('hex'), `k1:${randomBytes(32).toString('base64')}`];
  const texts = stored.map((value) => template.replaceAll(/\{\{[^}]*\}\}/g, value));
  return texts.find((text) => isTaken(parse, text)) ?? texts[0];
}

function isTaken(parse: Field<unknown>['parse'], text: string): boolean {
  try {
    parse(text);
    return true;
  } catch {
    return false;
  }
}
