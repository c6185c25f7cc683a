import { z } from 'zod';
import { CARD_TYPES } from '../dashboards/schema.ts';
import { agentIdSchema, eventNameSchema, receiptSchema } from '../events/schema.ts';
import { offsetSchema } from '../paging.ts';

/** The MCP tool `render_dashboard_card`. */
export const renderDashboardCardSchema = z.strictObject({
  cardId: z.string().min(1, 'must not be empty').max(100, 'must have at most 100 characters'),
  waitFor: receiptSchema.optional(),
});
export type RenderDashboardCard = z.output<typeof renderDashboardCardSchema>;

/** The MCP tool `describe_workspace`. */
export const describeWorkspaceSchema = z.strictObject({
  eventName: eventNameSchema.optional().describe('Only this event, with more of its values.'),
  search: eventNameSchema.optional().describe('Part of the name of an event, card or tab.'),
  agentId: agentIdSchema.optional().describe("Default: the key's agent."),
  offset: offsetSchema.describe('From nextOffset.'),
});
export type DescribeWorkspace = z.output<typeof describeWorkspaceSchema>;

const scalar = z.union([z.string(), z.number(), z.boolean()]);

export const workspaceSchema = z.object({
  now: z.string(),
  timezone: z.string(),
  agentId: z.string().nullable(),
  agents: z.array(z.string()),
  events: z.array(
    z.object({
      eventName: z.string(),
      count: z.int(),
      firstSeen: z.string(),
      lastSeen: z.string(),
      properties: z.array(
        z.object({
          key: z.string(),
          type: z.string(),
          values: z.array(scalar).optional(),
          min: z.number().optional(),
          max: z.number().optional(),
          distinct: z.int().optional(),
        }),
      ),
    }),
  ),
  totalEventNames: z.int(),
  nextOffset: z.int().optional(),
  tabs: z.array(z.object({ id: z.string(), name: z.string() })),
  cards: z.array(
    z.object({ id: z.string(), title: z.string(), cardType: z.enum(CARD_TYPES), tabId: z.string().optional() }),
  ),
  note: z.string(),
});
export type Workspace = z.output<typeof workspaceSchema>;
