import { z } from 'zod';
import { requestSchemas, responseSchemas } from '../../shared/schema-names.ts';
import { environmentNameSchema } from './environment-schema.ts';
import { type ConnectorDefinition, connectorMembersSchema } from './members.ts';
import { connectorDefinitionSchema } from './schema.ts';

const times = {
  createdAt: z.iso.datetime().describe('When it was first applied.'),
  updatedAt: z.iso.datetime().describe('When it was last changed.'),
};

/** What a list tells of a connector, whose definition may be megabytes. */
export const connectorSummarySchema = z.object({
  slug: z.string().describe('What calls name it by.'),
  name: z.string().describe('For people; calls may use it, too.'),
  environments: z.array(environmentNameSchema).describe('Those that it has.'),
  resources: z.int().describe('How many resources it has.'),
  ...times,
});
responseSchemas.add(connectorSummarySchema, { id: 'ConnectorSummary' });
export type ConnectorSummary = z.output<typeof connectorSummarySchema>;

/** A definition that is put in a place of its own, whose slug it need not repeat. What its members are together, the service checks. */
export const putConnectorSchema = connectorMembersSchema.extend({
  slug: connectorMembersSchema.shape.slug.optional(),
});
requestSchemas.add(putConnectorSchema, { id: 'PutConnector' });
export type PutConnector = z.output<typeof putConnectorSchema>;

/** A connector as the portal shows it: the definition by itself, so that it can be sent back. */
export const connectorSchema = z.object({
  definition: connectorDefinitionSchema.describe('As it can be put: with all its members, and no secret.'),
  ...times,
});
responseSchemas.add(connectorSchema, { id: 'Connector' });

/** Of a definition that was put. */
export const appliedConnectorSchema = z.object({
  slug: z.string().describe('What calls name it by.'),
  outcome: z.enum(['created', 'changed', 'unchanged']).describe('What came of it.'),
  missingCredentials: z.array(z.string()).describe('Credentials that it lists and that are not stored yet.'),
});
responseSchemas.add(appliedConnectorSchema, { id: 'AppliedConnector' });
export type AppliedConnector = z.output<typeof appliedConnectorSchema>;

/** A definition as it is shown: there is no secret in it. */
export type ShownConnector = ConnectorDefinition & { createdAt: string; updatedAt: string };

export function summaryOf({ slug, name, environments, resources, ...shown }: ShownConnector): ConnectorSummary {
  const { createdAt, updatedAt } = shown;
  const has = (['staging', 'production'] as const).filter((one) => environments[one] !== undefined);
  return { slug, name, environments: has, resources: Object.keys(resources).length, createdAt, updatedAt };
}

/** As it was applied, without what is told beside it. */
export function definitionOf({ createdAt: _, updatedAt: __, ...definition }: ShownConnector): ConnectorDefinition {
  return definition;
}
