import { PartnerOperation, partnerOperations } from '../modes/mode';
import { ModeName, actsAt, isModeName, modeOf } from '../modes/modes';

/** A mode in force at a partner. */
export interface ModeSelection {
  mode: ModeName;
  /** Where it has its effect; all operations of the mode when absent. */
  at?: PartnerOperation[];
  /** For how many more requests; until it is taken back when absent. */
  times?: number;
}

/** What a script asks for, or what is wrong with it. */
export type ParsedSelections =
  { readonly ok: true; readonly selections: ModeSelection[] } | { readonly ok: false; readonly problem: string };

/** Reads `{"modes": [{"mode", "at"?, "times"?}]}`; an empty list takes all modes back. */
export function parseSelections(body: unknown): ParsedSelections {
  const listed = (body as { modes?: unknown } | null)?.modes;
  if (!Array.isArray(listed)) return { ok: false, problem: 'modes must be a list' };
  const selections: ModeSelection[] = [];
  for (const entry of listed as unknown[]) {
    const { mode, at, times } = (entry ?? {}) as Record<string, unknown>;
    if (typeof mode !== 'string' || !isModeName(mode))
      return { ok: false, problem: `there is no mode ${String(mode)}` };
    if (modeOf(mode).kind === 'listener')
      return { ok: false, problem: `${mode} needs a server with its own connections` };
    if (at !== undefined && !isOperationsOf(mode, at))
      return { ok: false, problem: `at of ${mode} must list some of: ${modeOf(mode).at.join(', ')}` };
    if (times !== undefined && !(Number.isInteger(times) && (times as number) > 0))
      return { ok: false, problem: 'times must be a whole number above 0' };
    selections.push({
      mode,
      ...(at === undefined ? {} : { at }),
      ...(times === undefined ? {} : { times: times as number }),
    });
  }
  return { ok: true, selections };
}

/** The first selection for an operation. One with `times` counts down, and is taken back when it is used up. */
export function takeSelection(selections: ModeSelection[], operation: PartnerOperation): ModeName | null {
  const at = selections.findIndex(
    (each) => actsAt(modeOf(each.mode), operation) && (each.at === undefined || each.at.includes(operation)),
  );
  if (at < 0) return null;
  const selection = selections[at];
  if (selection.times !== undefined && --selection.times <= 0) selections.splice(at, 1);
  return selection.mode;
}

function isOperationsOf(mode: ModeName, at: unknown): at is PartnerOperation[] {
  const isOperation = (value: unknown): boolean =>
    partnerOperations.some((operation) => operation === value && actsAt(modeOf(mode), operation));
  return Array.isArray(at) && at.length > 0 && at.every(isOperation);
}
