import { z } from 'zod';
import { requestSchemas, responseSchemas } from '../../../base/shared/schema-names.ts';
import { editVersion } from '../../../base/shared/versions.ts';
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
  hosts: z.array(z.string()).describe('The hosts of its environments.'),
  credentials: z.array(z.string()).describe('The stored credentials that it may use.'),
  resources: z.int().describe('How many resources it has.'),
  tools: z.int().describe('How many of them MCP clients see as tools.'),
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
export type AppliedConnector = z.output<typeof appliedConnectorSchema>;

export const appliedVersionSchema = appliedConnectorSchema.extend(times);
responseSchemas.add(appliedVersionSchema, { id: 'AppliedConnector' });
export type AppliedConnectorVersion = z.output<typeof appliedVersionSchema>;

export type ShownConnector = ConnectorDefinition & { createdAt: string; updatedAt: string };

/** The times of a stored connector are its version: each change increases the second. */
export function connectorVersion({ createdAt, updatedAt }: { createdAt: string; updatedAt: string }): string {
  return editVersion([createdAt, updatedAt]);
}

export function connectorSummary(connector: ShownConnector): ConnectorSummary {
  const { slug, name, environments, credentials, createdAt, updatedAt } = connector;
  const has = ENVIRONMENTS.filter((one) => environments[one] !== undefined);
  const resources = Object.values(connector.resources);
  return {
    ...{ slug, name, environments: has },
    hosts: [...new Set(has.map((one) => new URL(environments[one]!.baseUrl).host))],
    credentials,
    resources: resources.length,
    tools: resources.filter(({ exposeAsTool }) => exposeAsTool).length,
    ...{ createdAt, updatedAt },
  };
}

export function connectorDefinitionOf({
  createdAt: _,
  updatedAt: __,
  ...definition
}: ShownConnector): ConnectorDefinition {
  return definition;
}
