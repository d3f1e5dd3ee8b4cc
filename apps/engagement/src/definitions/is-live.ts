import type { Definition } from './definition.entity';

/** Whether a version is the one in force of its definition: it is published, whether or not it is paused. */
export function isLive({ state }: Pick<Definition, 'state'>): boolean {
  return state === 'published' || state === 'paused';
}
