import { operatorOnly } from '../../../base/shared/operator-only.ts';
import { type ConnectorDefinition, referencesOf } from './schema.ts';

/** The server's environment and private networks are for the operator. */
export function problemsOfOperatorsMembers(definitions: readonly ConnectorDefinition[]): string[] {
  return definitions.flatMap((definition) => {
    const variables = referencesOf(definition).filter(({ reference }) => 'env' in reference);
    const fields = [
      ...variables.map(({ path }) => `${path.join('.')}.env`),
      ...(definition.allowPrivateNetworks.length > 0 ? ['allowPrivateNetworks'] : []),
    ];
    const label = `connector ${JSON.stringify(definition.slug)}`;
    return fields.map((field) => `${label}: ${operatorOnly(field, 'connectors apply')}`);
  });
}
