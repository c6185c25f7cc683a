import { definitionsIn } from '../definition-file.ts';
import { unknownName } from '../names.ts';
import { type ConnectorDefinition, connectorDefinitionSchema, connectorSlugSchema } from './schema.ts';

/** The definitions of a file: see `definitionsIn`. Two may have one name, which then means the first by slug. */
export function definitionsOf(input: unknown): ConnectorDefinition[] {
  return definitionsIn(input, {
    noun: 'connector',
    schema: connectorDefinitionSchema,
    key: 'slug',
    keySchema: connectorSlugSchema,
  });
}

/** That there is no connector of this slug or name, and which there are. */
export function unknownConnector(slugOrName: string, known: readonly { slug: string; name: string }[]): string {
  const names = new Set([...known.map(({ slug }) => slug), ...known.map(({ name }) => name)]);
  return unknownName('connector', slugOrName, [...names], '`connectors apply` installs them');
}
