import { z } from 'zod';
import { requestSchemas, responseSchemas } from '../../../base/shared/schema-names.ts';
import { ENVIRONMENTS, environmentNameSchema } from './environment-schema.ts';
import { type ConnectorDefinition, connectorDefinitionSchema, connectorMembersSchema } from './schema.ts';

const times = {
  createdAt: z.iso.datetime().describe('When it was first applied.'),
  updatedAt: z.iso.datetime().describe('When it was last changed.'),
};

export const connectorSummarySchema = z.object({
  slug: z.string().describe('What calls name it by.'),
  name: z.string().describe('The name for people; calls may use it as well.'),
  environments: z.array(environmentNameSchema).describe('The environments of the connector.'),
  resources: z.int().describe('How many resources it has.'),
  ...times,
});
responseSchemas.add(connectorSummarySchema, { id: 'ConnectorSummary' });
export type ConnectorSummary = z.output<typeof connectorSummarySchema>;

/** For a route with the slug in its path. The service checks it as a whole. */
export const putConnectorSchema = connectorMembersSchema.extend({
  slug: connectorMembersSchema.shape.slug.optional(),
});
requestSchemas.add(putConnectorSchema, { id: 'PutConnector' });
export type PutConnector = z.output<typeof putConnectorSchema>;

export const connectorSchema = z.object({
  definition: connectorDefinitionSchema.describe(
    'The whole definition, in the form that a PUT takes; without secrets.',
  ),
  ...times,
});
responseSchemas.add(connectorSchema, { id: 'Connector' });

export const appliedConnectorSchema = z.object({
  slug: z.string().describe('What calls name it by.'),
  outcome: z.enum(['created', 'changed', 'unchanged']).describe('What came of it.'),
  missingCredentials: z.array(z.string()).describe('Credentials that it lists and that are not stored yet.'),
});
responseSchemas.add(appliedConnectorSchema, { id: 'AppliedConnector' });
export type AppliedConnector = z.output<typeof appliedConnectorSchema>;

export type ShownConnector = ConnectorDefinition & { createdAt: string; updatedAt: string };

export function connectorSummary({ slug, name, environments, resources, ...shown }: ShownConnector): ConnectorSummary {
  const { createdAt, updatedAt } = shown;
  const has = ENVIRONMENTS.filter((one) => environments[one] !== undefined);
  return { slug, name, environments: has, resources: Object.keys(resources).length, createdAt, updatedAt };
}

export function connectorDefinitionOf({
  createdAt: _,
  updatedAt: __,
  ...definition
}: ShownConnector): ConnectorDefinition {
  return definition;
}
