import { definitionSchemas } from '../../../apps/engagement/src/openapi';
import { GeneratedFile } from './generated-file';

type Schema = ReturnType<typeof definitionSchemas>[string];
type Field = NonNullable<Schema['properties']>[string];

/** The forms of conditions, windows, repeats and rewards as a page, from the components of the OpenAPI document. */
export function engineConditionsPage(): GeneratedFile[] {
  const patterns = new Patterns();
  const sections = Object.entries(definitionSchemas()).map(([name, schema]) => section(name, schema, patterns));
  return [
    {
      path: 'docs/engine-conditions.md',
      content: `# Conditions, windows, repeats and rewards: reference

All forms that the operators' API accepts in segments and tasks, from the JSON Schema in
[docs/openapi/operators.json](openapi/operators.json). No form has other fields than those given here. What they mean, with
examples: [docs/engine.md](engine.md). Names of events and attributes are those of the platform's newest contract.

${sections.join('\n')}
## Patterns

${patterns.list()}
`,
    },
  ];
}

function section(name: string, schema: Schema, patterns: Patterns): string {
  const forms = schema.oneOf ?? [schema];
  const rows = forms.map((form) => {
    if ('$ref' in form) return `| [${nameOf(form.$ref)}](#${anchorOf(form.$ref)}) | | |`;
    const required = new Set(form.required ?? []);
    const fields = Object.entries(form.properties ?? {});
    const cell = (isRequired: boolean): string =>
      fields
        .filter(([field]) => required.has(field) === isRequired)
        .map(([field, type]) => `\`${field}\`: ${typeOf(type, patterns)}`)
        .join('<br>');
    return `| ${cell(true)} | ${cell(false)} | ${form === schema ? '' : (form.description ?? '')} |`;
  });
  return `## ${name}

${schema.description === undefined ? '' : `${schema.description}.\n\n`}| Required fields | Optional fields | Meaning |
|---|---|---|
${rows.join('\n')}
`;
}

function typeOf(type: Field, patterns: Patterns): string {
  if ('$ref' in type) return `[${nameOf(type.$ref)}](#${anchorOf(type.$ref)})`;
  const { oneOf, enum: values, items, properties, pattern, format, description } = type;
  const note = description === undefined ? '' : ` (${description})`;
  if (oneOf) return oneOf.map((each) => typeOf(each, patterns)).join(' or ') + note;
  if (values) return values.map((value) => `\`${String(value)}\``).join(', ') + note;
  if (items) return `list of ${lengthOf(type)} × ${typeOf(items, patterns)}`;
  if (properties) {
    const fields = Object.entries(properties).map(([field, each]) => `\`${field}\`: ${typeOf(each, patterns)}`);
    return `object of ${fields.join(' and ')}${note}`;
  }
  if (pattern !== undefined) return `text of ${patterns.link(pattern)}${note}`;
  if (format !== undefined) return `text, \`${format}\`${note}`;
  if (type.type === 'string') return `text of at most ${type.maxLength} characters${note}`;
  return `${type.type}${boundsOf(type)}${note}`;
}

function lengthOf({ minItems = 0, maxItems }: Schema): string {
  return minItems === maxItems ? String(minItems) : `${minItems} to ${maxItems ?? 'any number'}`;
}

function boundsOf({ minimum, maximum }: Schema): string {
  return minimum === undefined && maximum === undefined ? '' : ` from ${minimum} to ${maximum}`;
}

function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}

function anchorOf(reference: string): string {
  return nameOf(reference).toLowerCase();
}

/** Long patterns are listed once, below the tables. */
class Patterns {
  private readonly known: string[] = [];

  link(pattern: string): string {
    if (!this.known.includes(pattern)) this.known.push(pattern);
    return `[pattern ${this.known.indexOf(pattern) + 1}](#patterns)`;
  }

  list(): string {
    return this.known.map((pattern, i) => `${i + 1}. \`${pattern}\``).join('\n');
  }
}
