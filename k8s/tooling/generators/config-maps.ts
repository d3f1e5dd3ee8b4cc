import { GeneratedFile } from '../../../tools/generate/generators/generated-file';
import { ServiceName, serviceNames } from '../service-needs';
import { fieldsOf } from '../../../tools/stack/settings/service-fields';
import { credentialsFolder, deployedValue, fromThePod } from '../deployed-settings';

/** `config.generated.env` of each service, the source of its ConfigMap, from its declared fields. */
export function configMaps(): GeneratedFile[] {
  return serviceNames.map((service) => ({
    path: `k8s/base/${service}/config.generated.env`,
    content: `# Generated from the fields that ${service} declares and k8s/tooling/deployed-settings.ts by npm run generate.\n${lines(service).join('\n')}\n`,
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
      value === undefined ? `# ${name} is set in the deployment.env of the overlay` : `${name}=${value}`,
    ];
  });
}
