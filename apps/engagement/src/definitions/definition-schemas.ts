import type { OpenAPIObject } from '@nestjs/swagger';
import { conditionLimits } from './check-condition';
import { compareOps } from './check-filter';
import { amountPattern } from './check-reward';
import { wholeNumberPattern } from './check-value';
import { periods } from './check-window';

interface Reference {
  $ref: string;
}

type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;
type SchemaObject = Exclude<Schemas[string], Reference>;

const schemaPath = '#/components/schemas/';

const decimalPattern = '^[+-]?([0-9]+(\\.[0-9]*)?|\\.[0-9]+)([eE][+-]?[0-9]{1,3})?$';
const text = (maxLength: number): SchemaObject => ({ type: 'string', minLength: 1, maxLength });
const decimal: SchemaObject = { oneOf: [{ type: 'string', pattern: decimalPattern }, { type: 'number' }] };
const time: SchemaObject = { type: 'string', format: 'date-time', maxLength: 64 };
const currency: SchemaObject = { type: 'string', pattern: '^[A-Z]{3}$', description: 'Required for money' };
const ownCurrency: SchemaObject = { ...currency, description: 'Of money either this or `convert_to`' };
const convertTo: SchemaObject = {
  type: 'string',
  pattern: '^[A-Z]{3}$',
  description:
    'Instead of `currency`: amounts in other currencies are converted to this one by the rates of the organizer; zone UTC',
};
const period: SchemaObject = { type: 'string', enum: [...periods] };
const isTrue: SchemaObject = { type: 'boolean', enum: [true] };
const scalar: SchemaObject = { oneOf: [{ type: 'string', maxLength: 4096 }, { type: 'number' }, { type: 'boolean' }] };
const filter = ref('EventFilter');
const op: SchemaObject = { type: 'string', enum: [...compareOps] };

/** The zone of a definition. */
export const zoneApi = {
  type: 'string',
  maxLength: 64,
  default: 'UTC',
  description: 'IANA name of the time zone of all days, weeks and months, for example Europe/Riga',
} as const;

/** A property whose schema is a component. */
export function reference(name: string): { allOf: Reference[] } {
  return { allOf: [ref(name)] };
}

/** The same in an answer, which also shows versions of another release, by whose definitions operators find and end them. */
export function referenceOrStored(name: string): { anyOf: (Reference | SchemaObject)[] } {
  const stored = 'As it is stored, of a version that this release cannot read';
  return { anyOf: [ref(name), { type: 'object', additionalProperties: true, description: stored }] };
}

/** The components of the OpenAPI document that describe segments and tasks: every object has no other fields. */
export function definitionSchemas(): Record<string, SchemaObject> {
  return {
    AttributeTest: attributeTest(),
    EventFilter: object(
      { event: text(255), where: list(ref('AttributeTest'), 0, 20) },
      ['event'],
      'Events of a negotiated name that pass all tests',
    ),
    SegmentWindow: oneOf(fixedWindows(), 'The events that count, by created_at'),
    SegmentCondition: condition('SegmentCondition', 'SegmentWindow', ['window']),
    GoalWindow: oneOf(
      [
        ...fixedWindows(),
        object({ task: isTrue }, ['task'], 'The dates of the task, with `per` the period within them'),
      ],
      'The events that count, by created_at; the dates of the task when left out',
    ),
    Goal: condition('Goal', 'GoalWindow', []),
    Repeat: oneOf(
      [
        object({ once: isTrue }, ['once']),
        object({ per: period }, ['per']),
        object({ every: decimal }, ['every'], 'For one count or sum with gte: the n-th is reached at value + (n-1)·N'),
      ],
      'How often a goal pays a user',
    ),
    FixedReward: object(
      { type: text(64), amount: { type: 'string', pattern: amountPattern }, currency: text(64), item: text(255) },
      ['type', 'amount'],
      'An amount of money or another unit, or a quantity of an item',
    ),
    FormulaReward: object(
      {
        ...{ type: text(64), percent: decimal },
        of: oneOf([
          object({ attribute: text(255) }, ['attribute'], 'A money attribute of the event that decides'),
          object({ sum: filter, attribute: text(255), window: ref('GoalWindow') }, ['sum', 'attribute']),
        ]),
        ...{ currency: ownCurrency, convert_to: convertTo, floor: decimal, cap: decimal },
      },
      ['type', 'percent', 'of'],
      'A percentage of money, rounded half up, then raised to floor and cut to cap; paid in `currency` or `convert_to`',
    ),
    TaskReward: oneOf([ref('FixedReward'), ref('FormulaReward')], 'What a task pays'),
    Budget: object(
      { total: decimal, per_day: decimal },
      [],
      'The most that a task issues, in units of its reward, in all and per UTC day of issue; one of both at least',
    ),
  };
}

/** The forms of a condition over one kind of window; `required` names the window where it has no default. */
function condition(name: string, window: string, required: readonly string[]): SchemaObject {
  const { branches, steps, count, distinct, streak } = conditionLimits;
  const whole = (maximum: number): SchemaObject => ({
    oneOf: [
      { type: 'integer', minimum: 0, maximum },
      { type: 'string', pattern: wholeNumberPattern },
    ],
  });
  const over = (head: string, fields: Record<string, SchemaObject | Reference>, others: string[]): SchemaObject =>
    object({ [head]: filter, ...fields, window: ref(window), op }, [head, ...others, ...required, 'op', 'value']);
  const ofAttribute = (head: string, value: SchemaObject): SchemaObject =>
    over(head, { attribute: text(255), currency: ownCurrency, convert_to: convertTo, value }, ['attribute']);
  return oneOf(
    [
      object({ all: list(ref(name), 1, branches) }, ['all']),
      object({ any: list(ref(name), 1, branches) }, ['any']),
      object({ not: ref(name) }, ['not']),
      over('count', { value: whole(count) }, []),
      ofAttribute('sum', decimal),
      ofAttribute('min', scalar),
      ofAttribute('max', scalar),
      over('distinct', { attribute: text(255), value: whole(distinct) }, ['attribute']),
      object({ latest: text(255), where: list(ref('AttributeTest'), 1, 20) }, ['latest', 'where']),
      object({ absent: filter, window: rolling('Days or weeks, for example P14D') }, ['absent', 'window']),
      object({ sequence: list(filter, 2, steps), within: text(40) }, ['sequence', 'within']),
      object({ streak: filter, every: period, op, value: whole(streak) }, ['streak', 'every', 'op', 'value']),
      object({ in_segment: { type: 'string', format: 'uuid' } }, ['in_segment']),
    ],
    'A condition over negotiated events, for example {"count":{"event":"deposit","where":[{"attribute":"level","op":"gte","value":"5"}]},"window":{"rolling":"P30D"},"op":"gte","value":3}',
  );
}

function attributeTest(): SchemaObject {
  const attribute = text(255);
  return oneOf(
    [
      object({ attribute, op, value: scalar, currency }, ['attribute', 'op', 'value']),
      object({ attribute, op: { type: 'string', enum: ['in'] }, value: list(scalar, 1, 100), currency }, [
        'attribute',
        'op',
        'value',
      ]),
      object({ attribute, op: { type: 'string', enum: ['exists', 'not_exists'] } }, ['attribute', 'op']),
    ],
    'A value that is missing or does not parse is absent: it satisfies not_exists and nothing else',
  );
}

function fixedWindows(): SchemaObject[] {
  return [
    rolling('Days or weeks up to P366D, of which today is the last, or hours up to PT744H'),
    object({ calendar: period }, ['calendar']),
    object({ since: { type: 'string', enum: ['link'] } }, ['since'], 'Since the link of each event'),
    object({ between: list(time, 2, 2) }, ['between'], 'From the first time to before the second'),
    object({ lifetime: isTrue }, ['lifetime'], 'All that was ever accepted'),
  ];
}

function rolling(description: string): SchemaObject {
  return object({ rolling: text(16) }, ['rolling'], description);
}

function ref(name: string): Reference {
  return { $ref: schemaPath + name };
}

function list(items: SchemaObject | Reference, minItems: number, maxItems: number): SchemaObject {
  return { type: 'array', items, minItems, maxItems };
}

function oneOf(choices: (SchemaObject | Reference)[], description?: string): SchemaObject {
  return { oneOf: choices, ...(description === undefined ? {} : { description }) };
}

function object(
  properties: Record<string, SchemaObject | Reference>,
  required: readonly string[],
  description?: string,
): SchemaObject {
  return {
    type: 'object',
    ...(description === undefined ? {} : { description }),
    properties,
    ...(required.length === 0 ? {} : { required: [...required] }),
    additionalProperties: false,
  };
}
