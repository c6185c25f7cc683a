import { checkDefinition } from './check.ts';
import { connectorMembersSchema } from './members.ts';

/** A connector: everything about an API except the secrets. */
export const connectorDefinitionSchema = connectorMembersSchema.superRefine((definition, context) => {
  for (const { path, message } of checkDefinition(definition)) context.addIssue({ code: 'custom', path, message });
});
