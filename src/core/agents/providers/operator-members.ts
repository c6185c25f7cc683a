import { invalid } from '../../base/shared/errors.ts';
import { operatorOnly } from '../../base/shared/operator-only.ts';
import { capMessages } from '../../base/shared/parse.ts';
import type { ModelProviderDefinition } from './schema.ts';
import { mapSecrets } from './secrets.ts';

const COMMAND = 'providers apply';

/** Throws `invalid` for the server's environment, its credentials and private networks. */
export function refuseOperatorsProvider(definition: ModelProviderDefinition): void {
  const variables: string[] = [];
  mapSecrets(definition, (secret, field) => {
    if (typeof secret !== 'string') variables.push(`${field}.env`);
  });
  const { provider, apiKey, allowPrivateNetwork, allowPrivateImages } = definition;
  const fields = [
    ...variables,
    ...(allowPrivateNetwork ? ['allowPrivateNetwork'] : []),
    ...(allowPrivateImages ? ['allowPrivateImages'] : []),
  ];
  const problems = fields.map((field) => operatorOnly(field, COMMAND));
  // Without one, the AWS SDK signs with the credentials of the server.
  if (provider === 'bedrock' && apiKey === undefined) {
    problems.push("apiKey: is required with bedrock; without one the server's own AWS credentials would be used");
  }
  if (problems.length > 0) throw invalid(...capMessages(problems));
}
