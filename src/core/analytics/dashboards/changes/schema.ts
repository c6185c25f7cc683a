import { z } from 'zod';
import { readAgentSchema } from '../../../base/shared/name-schemas.ts';
import { limitSchema, offsetSchema } from '../../../base/shared/paging.ts';
import { responseSchemas } from '../../../base/shared/schema-names.ts';
import { CHANGE_STATES, MAX_CHANGES } from './store.ts';

export const changesQuerySchema = z.strictObject({
  agentId: readAgentSchema.optional().describe("Default: the key's agent, else all; `*`: all."),
  state: z
    .enum(CHANGE_STATES)
    .optional()
    .describe('`current`: the card or tab is as the change left it; `superseded`: it changed since; `undone`.'),
  limit: limitSchema({ default: 50, maximum: MAX_CHANGES }),
  offset: offsetSchema,
});
export type ChangesQuery = z.output<typeof changesQuerySchema>;

export const dashboardChangeSchema = z.object({
  id: z.string(),
  at: z.string(),
  kind: z.enum(['card', 'tab']),
  itemId: z.string().describe('Id of the card or tab.'),
  agentId: z.string(),
  title: z.string().describe('Of the card or tab, after the change.'),
  action: z.enum(['created', 'changed', 'deleted']),
  by: z.object({
    kind: z.enum(['key', 'user', 'grant']).describe('The credential.'),
    id: z.string(),
    label: z.string().describe('Label of the key or e-mail of the user, as it was then.'),
    client: z.string().nullable().describe('The application that acted for the user.'),
    userId: z.string().nullable().describe('The user, or the maker of the key.'),
  }),
  tool: z.string(),
  intent: z.string().nullable().describe("The agent's reason, in its own words."),
  state: z.enum(CHANGE_STATES).describe('Only a `current` change can be undone.'),
  undoneAt: z.string().nullable(),
  undoneBy: z.string().nullable(),
});
responseSchemas.add(dashboardChangeSchema, { id: 'DashboardChange' });
export type DashboardChange = z.output<typeof dashboardChangeSchema>;
