import { attributeText } from './contract';
import type { Contract } from '../api/partner-reads-api';

type Version = NonNullable<Contract['in_force']>;
type NegotiatedEvent = Version['events'][number];

/** TypeScript types of the events of a version; each is a `PartnerEvent` of the SDK. */
export function typescriptTypes(platform: string, { version, events }: Version): string {
  const named = withTypeNames(events);
  const union = named.map(([typeName]) => `  | ${typeName}`).join('\n');
  return `// Written by podium-partner types: version ${version} of the contract of ${platform}.
import type { PartnerEvent } from '@podium/partner';

/** The version of the contract that these types describe. */
export const contractVersion = ${version};
${named.map(([typeName, event]) => `\n${typescriptEvent(typeName, event)}`).join('')}
/** Every negotiated event. */
export type NegotiatedEvent =${named.length === 0 ? ' never' : `\n${union}`};
`;
}

/** Python types of the events of a version, for type checkers; the SDK takes their attributes as they are. */
export function pythonTypes(platform: string, { version, events }: Version): string {
  const named = withTypeNames(events);
  const names = events.map(({ name }) => JSON.stringify(name)).join(', ');
  return `"""Written by podium-partner types: version ${version} of the contract of ${platform}."""

from typing import Literal, NoReturn, TypedDict

CONTRACT_VERSION = ${version}

EventName = ${events.length === 0 ? 'NoReturn' : `Literal[${names}]`}
${named.map(([typeName, event]) => `\n${pythonEvent(typeName, event)}`).join('')}`;
}

function typescriptEvent(typeName: string, { name, kind, attributes }: NegotiatedEvent): string {
  const fields = attributes.map(
    (attribute) =>
      `    /** ${commented(attributeText(attribute))} */\n    readonly ${JSON.stringify(attribute.name)}?: ${
        attribute.type === 'boolean' ? "'true' | 'false'" : 'string'
      };\n`,
  );
  const shape = fields.length === 0 ? 'Record<string, never>' : `{\n${fields.join('')}  }`;
  return `/** ${kind} */
export interface ${typeName} extends PartnerEvent {
  readonly name: ${JSON.stringify(name)};
  readonly attributes?: ${shape};
}
`;
}

function pythonEvent(typeName: string, { kind, attributes }: NegotiatedEvent): string {
  const fields = attributes.map(
    (attribute) =>
      `        # ${attributeText(attribute)}\n        ${JSON.stringify(attribute.name)}: ${
        attribute.type === 'boolean' ? 'Literal["true", "false"]' : 'str'
      },\n`,
  );
  const shape = fields.length === 0 ? '{}' : `{\n${fields.join('')}    }`;
  return `# ${kind}
${typeName}Attributes = TypedDict(
    "${typeName}Attributes",
    ${shape},
    total=False,
)
`;
}

/** Each event with a name for its type: letters and digits of its own in PascalCase, and a number where two are the same. */
function withTypeNames(events: readonly NegotiatedEvent[]): [string, NegotiatedEvent][] {
  const taken = new Set(['NegotiatedEvent', 'PartnerEvent']);
  return events.map((event) => {
    const words = event.name.match(/[A-Za-z0-9]+/g) ?? [];
    const base = `${words.map((word) => word[0].toUpperCase() + word.slice(1)).join('')}Event`;
    const plain = /^[A-Z]/.test(base) ? base : `Event${base}`;
    let typeName = plain;
    for (let number = 2; taken.has(typeName); number++) typeName = `${plain}${number}`;
    taken.add(typeName);
    return [typeName, event];
  });
}

/** A text inside a block comment, which it cannot end. */
function commented(text: string): string {
  return text.replaceAll('*/', '* /');
}
