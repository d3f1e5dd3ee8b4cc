import { Mode, ModeGroup, PartnerOperation } from './mode';
import { redirects } from './redirects';
import { refreshes } from './refreshes';
import { statuses } from './statuses';
import { tokenBodies } from './token-bodies';
import { transports } from './transports';
import { userInfos } from './user-infos';

/**
 * Every way in which a partner can differ or err while an account is linked, by name: one table for the sandbox, for the
 * specs of linkage and for those of the partner check. A mode is data and pure functions; `PartnerEndpoints` applies it.
 */
export const modes = {
  ...tokenBodies,
  ...statuses,
  ...transports,
  ...refreshes,
  ...redirects,
  ...userInfos,
} as const;

export type ModeName = keyof typeof modes;

/** The mode of a name; null when there is none. */
export function modeOf(name: ModeName): Mode;
export function modeOf(name: string): Mode | null;
export function modeOf(name: string): Mode | null {
  return isModeName(name) ? modes[name] : null;
}

export function isModeName(name: string): name is ModeName {
  return Object.hasOwn(modes, name);
}

/** All modes of a group with their names, in the order of the table. */
export function modesOf(group: ModeGroup): readonly { readonly name: ModeName; readonly mode: Mode }[] {
  return (Object.keys(modes) as ModeName[]).flatMap((name) => {
    const mode: Mode = modes[name];
    return mode.group === group ? [{ name, mode }] : [];
  });
}

/** Whether a mode can have an effect at an operation. */
export function actsAt(mode: Mode, operation: PartnerOperation): boolean {
  return (mode.at as readonly PartnerOperation[]).includes(operation);
}
