import { randomBytes } from 'node:crypto';
import { Field } from '../../libs/runtime/src/config';

/**
 * A text for a secret field as a store of secrets would bring it: the template with random values in place of what is kept
 * there, in the form that the field's own parser takes.
 */
export function standIn({ parse }: Field<unknown>, template: string): string {
  const kept = [randomBytes(32).toString('hex'), `k1:${randomBytes(32).toString('base64')}`];
  const texts = kept.map((value) => template.replaceAll(/\{\{[^}]*\}\}/g, value));
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
