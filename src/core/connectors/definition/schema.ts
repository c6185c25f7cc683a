import { checkDefinition } from './check.ts';
import { connectorMembersSchema } from './members.ts';

/** A connector as it is defined: everything about an API but the secrets. */
export const connectorDefinitionSchema = connectorMembersSchema.superRefine((definition, context) => {
  for (const { path, message } of checkDefinition(definition)) context.addIssue({ code: 'custom', path, message });
});
