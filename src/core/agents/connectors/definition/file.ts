import { isObject } from '../../../base/json-schema/values.ts';
import { unknownName } from '../../../base/shared/alike-names.ts';
import { definitionsIn } from '../../../base/shared/definition-file.ts';
import { invalid } from '../../../base/shared/errors.ts';
import { type ConnectorDefinition, connectorSlugSchema } from './members.ts';
import { connectorDefinitionSchema } from './schema.ts';

export function definitionsOf(input: unknown): ConnectorDefinition[] {
  if (isObject(input) && ('openapi' in input || 'swagger' in input)) {
    throw invalid('input: is an OpenAPI document; `connectors import FILE --slug NAME` makes a definition of it');
  }
  return definitionsIn(input, {
    noun: 'connector',
    schema: connectorDefinitionSchema,
    key: 'slug',
    keySchema: connectorSlugSchema,
  });
}

export function unknownConnector(slugOrName: string, known: readonly { slug: string; name: string }[]): string {
  const names = new Set([...known.map(({ slug }) => slug), ...known.map(({ name }) => name)]);
  return unknownName('connector', slugOrName, [...names], '`connectors apply` installs them');
}
