import { ModeGroup, modeGroups, modesOf } from '@podium/simulated-partner';
import { escapeHtml } from './page';

/** The options of a choice of modes by group; modes that need a server with its own connections cannot be chosen. */
export function modeOptions(chosen: string | null): string {
  const groups = (Object.keys(modeGroups) as ModeGroup[]).map((group) => {
    const options = modesOf(group).map(({ name, mode }) => {
      const state = mode.kind === 'listener' ? ' disabled' : name === chosen ? ' selected' : '';
      return `<option value="${name}"${state}>${escapeHtml(mode.summary)} (${name})</option>`;
    });
    return `<optgroup label="${escapeHtml(modeGroups[group])}">${options.join('')}</optgroup>`;
  });
  return `<option value="">follows the specification</option>${groups.join('')}`;
}
