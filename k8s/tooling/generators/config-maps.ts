import { Artefact } from '../../../tools/generate/artefact';
import { ServiceName, serviceNames } from '../services';
import { fieldsOf } from '../../../tools/generate/services';
import { credentialsFolder, deployedValue, fromThePod } from '../settings';

/** `config.generated.env` of each service, the source of its ConfigMap, from its declared fields. */
export function configMaps(): Artefact[] {
  return serviceNames.map((service) => ({
    path: `k8s/base/${service}/config.generated.env`,
    content: `# Generated from the fields that ${service} declares and k8s/tooling/settings.ts by npm run generate.\n${lines(service).join('\n')}\n`,
  }));
}

function lines(service: ServiceName): string[] {
  return Object.entries(fieldsOf(service)).flatMap(([name, field]) => {
    const meaning = `# ${field.meaning}${field.unit ? ` [${field.unit}]` : ''}`;
    if (field.secret) return [meaning, `${name}_FILE=${credentialsFolder}/${name}`];
    if (name === fromThePod) return [meaning, `# ${name} is the name of the pod`];
    const value = deployedValue(service, name, field.default);
    return [
      meaning,
      value === undefined ? `# ${name} stands in the deployment.env of the overlay` : `${name}=${value}`,
    ];
  });
}
