import { Condition, Window } from '../evaluation/condition';
import { parseDecimal } from '../evaluation/exact-decimal';
import { parseRolling, rollingBounds } from '../evaluation/window';
import { FilterCheck, compareOps } from './check-filter';
import { choiceOf, fieldsOf, listOf, malformed, refused } from './body-problems';

const maxDepth = 8;
const maxNodes = 50;
const maxBranches = 20;

const heads = ['all', 'any', 'not', 'count', 'sum', 'latest'] as const;
const laterHeads = ['min', 'max', 'distinct', 'absent', 'sequence', 'streak', 'in_segment'];
const laterWindows = ['calendar', 'between'];

/** Turns what an operator wrote into a condition of at most 50 parts, 8 deep; throws a coded error that names the place. */
export function checkCondition(value: unknown, path: string, filters: FilterCheck): Condition {
  return new ConditionCheck(filters).condition(value, path, 1);
}

class ConditionCheck {
  private nodes = 0;

  constructor(private readonly filters: FilterCheck) {}

  condition(value: unknown, path: string, depth: number): Condition {
    if (depth > maxDepth) throw malformed(path, `conditions may lie ${maxDepth} deep`);
    if (++this.nodes > maxNodes) throw malformed(path, `a condition may have ${maxNodes} parts`);
    const head = headOf(value, path);
    switch (head) {
      case 'all':
      case 'any': {
        const branches = listOf(fieldsOf(value, path, [head])[head], `${path}.${head}`, maxBranches);
        const conditions = branches.map((branch, i) => this.condition(branch, `${path}.${head}[${i}]`, depth + 1));
        return head === 'all' ? { all: conditions } : { any: conditions };
      }
      case 'not':
        return { not: this.condition(fieldsOf(value, path, ['not']).not, `${path}.not`, depth + 1) };
      case 'count':
        return this.count(fieldsOf(value, path, ['count', 'window', 'op', 'value']), path);
      case 'sum':
        return this.sum(fieldsOf(value, path, ['sum', 'attribute', 'window', 'op', 'value']), path);
      case 'latest':
        return this.latest(fieldsOf(value, path, ['latest', 'where']), path);
    }
  }

  private count(fields: Record<string, unknown>, path: string): Condition {
    const count = this.filters.filter(fields.count, `${path}.count`);
    if (!/^[0-9]{1,9}$/.test(scalarText(fields.value)))
      throw malformed(`${path}.value`, 'must be a whole number from 0 to 999999999');
    return { count, ...comparison(fields, path), value: fields.value as string | number };
  }

  private sum(fields: Record<string, unknown>, path: string): Condition {
    const sum = this.filters.filter(fields.sum, `${path}.sum`);
    const attribute = this.filters.summable(fields.attribute, sum.event, `${path}.attribute`);
    if (parseDecimal(scalarText(fields.value)) === null)
      throw malformed(`${path}.value`, 'must be a decimal: plain digits, at most 18 before and 9 after the point');
    return { sum, attribute, ...comparison(fields, path), value: fields.value as string | number };
  }

  private latest(fields: Record<string, unknown>, path: string): Condition {
    const latest = this.filters.eventName(fields.latest, `${path}.latest`);
    return { latest, where: this.filters.tests(fields.where, latest, `${path}.where`) };
  }
}

function headOf(value: unknown, path: string): (typeof heads)[number] {
  const given = typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : [];
  const later = given.find((field) => laterHeads.includes(field));
  if (later !== undefined) throw refused(`${path}.${later}`, `the condition "${later}" is not supported yet`);
  const found = heads.filter((head) => given.includes(head));
  if (found.length !== 1) throw malformed(path, `must be an object with exactly one of ${heads.join(', ')}`);
  return found[0];
}

function comparison(fields: Record<string, unknown>, path: string) {
  return {
    window: windowOf(fields.window, `${path}.window`),
    op: choiceOf(fields.op, `${path}.op`, compareOps),
  };
}

function windowOf(value: unknown, path: string): Window {
  const fields = fieldsOf(value, path, ['rolling', 'lifetime', 'since', 'zone', ...laterWindows]);
  const later = laterWindows.find((field) => field in fields);
  if (later !== undefined) throw refused(`${path}.${later}`, `the window "${later}" is not supported yet`);
  if (Object.keys(fields).length !== 1)
    throw malformed(path, 'must be one of {"rolling":"P30D"}, {"lifetime":true}, {"since":"link"}');
  if (fields.lifetime === true) return { lifetime: true };
  if (fields.since === 'link') return { since: 'link' };
  if (fields.since === 'task_start')
    throw refused(`${path}.since`, 'the window since "task_start" is not supported yet');
  const { rolling } = fields;
  if (typeof rolling !== 'string')
    throw malformed(path, 'must be one of {"rolling":"P30D"}, {"lifetime":true}, {"since":"link"}');
  if (parseRolling(rolling) === null)
    throw malformed(`${path}.rolling`, `must be an ISO 8601 duration of ${rollingBounds}`);
  return { rolling };
}

function scalarText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
