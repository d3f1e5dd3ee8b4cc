import { fields as competitionReadFields } from '../../../apps/competition-read/src/config';
import { fields as engagementFields } from '../../../apps/engagement/src/config';
import { fields as gatewayFields } from '../../../apps/gateway/src/config';
import { fields as ingestionFields } from '../../../apps/ingestion/src/config';
import { linkageFields } from '../../../apps/linkage/src/config';
import { sandboxFields } from '../../../apps/sandbox/src/config';
import { Fields, serviceFields } from '../../../libs/runtime/src/config';

/** A service and the fields it declares. */
export interface ServiceConfiguration {
  readonly service: string;
  readonly fields: Fields;
}

/** Every service with the fields it declares. */
export const services: readonly ServiceConfiguration[] = [
  { service: 'gateway', fields: gatewayFields },
  { service: 'linkage', fields: linkageFields },
  { service: 'ingestion', fields: ingestionFields },
  { service: 'engagement', fields: engagementFields },
  { service: 'competition-read', fields: competitionReadFields },
  { service: 'sandbox', fields: sandboxFields },
];

/** All fields of a service: its own and those of every service. */
export function fieldsOf(service: string): Fields {
  const declared = services.find((row) => row.service === service);
  if (!declared) throw new Error(`tools/stack/settings/service-fields.ts does not list ${service}`);
  return { ...(serviceFields as Fields), ...declared.fields };
}
