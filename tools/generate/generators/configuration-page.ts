import { Field, Fields, serviceFields } from '../../../libs/runtime/src/config';
import { ServiceConfiguration } from '../../stack/settings/service-fields';
import { stackFields } from '../../stack/settings/stack-fields';
import { GeneratedFile } from './generated-file';

/** `.env.example` and `docs/configuration.md`, from the declared fields. */
export function configuration(services: readonly ServiceConfiguration[]): GeneratedFile[] {
  const stack = { service: 'the local stack', fields: stackFields as Fields };
  const all = [{ service: 'every service', fields: serviceFields as Fields }, ...services];
  return [
    { path: '.env.example', content: [envHeader, ...[stack, ...all].map(envSection)].join('\n') },
    {
      path: 'docs/configuration.md',
      content: `# Configuration

Every field of every service. A missing or malformed field stops the process with its name. A secret may come from a file
instead: \`<NAME>_FILE\` holds its path. A live secret is re-read from its file while the service runs. With
\`ENVIRONMENT=production\` a value that violates the last column stops the process too, and a live secret keeps its
previous value.

\`npm start\` takes any of them from the environment and from the file \`.env\` of the checkout, over which the environment wins, and
gives it to the services that declare it. It sets ports, addresses and secrets itself, and says so when a setting contradicts them;
addresses of \`PARTNER_ADDRESS_ALLOW_LIST\` are added to the sandbox's. \`npm test\`, the fault run and the measurements do not read
\`.env\`.

${docSection(stack)}
${all.map(docSection).join('\n')}`,
    },
  ];
}

const envHeader = `# Every setting of every service, with its default or an example, as a comment.
#
# For "npm start": copy the lines that you want to change into a file .env beside this one and take the # away. A setting goes to every
# service that declares it; the environment wins over .env. The stack sets ports, addresses and secrets itself, and says so when .env
# contradicts it. "npm test", the fault run and the measurements do not read .env.
`;

function envSection({ service, fields }: ServiceConfiguration): string {
  const lines = Object.entries(fields).map(([name, field]) => {
    const value = field.secret ? '' : (field.default ?? field.example ?? '');
    return `# ${field.meaning}${field.unit ? ` [${field.unit}]` : ''}${field.default === undefined ? ' (required)' : ''}\n#${name}=${value}`;
  });
  return `## ${service}\n${lines.join('\n')}\n`;
}

function docSection({ service, fields }: ServiceConfiguration): string {
  const rows = Object.entries(fields).map(([name, field]) => row(name, field));
  return `## ${service[0].toUpperCase()}${service.slice(1)}

| Field | Meaning | Unit | Default | In production must |
|---|---|---|---|---|
${rows.join('\n')}
`;
}

function row(name: string, field: Field<unknown>): string {
  const fallback = field.default === undefined ? 'required' : `\`${field.default}\``;
  return `| \`${name}\`${field.live ? ' (live secret)' : field.secret ? ' (secret)' : ''} | ${field.meaning} | ${field.unit ?? ''} | ${fallback} | ${field.production ?? ''} |`;
}
