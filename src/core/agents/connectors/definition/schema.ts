import { checkDefinition } from './check.ts';
import { connectorMembersSchema } from './members.ts';

export const connectorDefinitionSchema = connectorMembersSchema.superRefine((definition, context) => {
  for (const { path, message } of checkDefinition(definition)) context.addIssue({ code: 'custom', path, message });
});
