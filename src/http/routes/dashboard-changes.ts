import { z } from 'zod';
import { changesQuerySchema, dashboardChangeSchema } from '../../core/analytics/dashboards/changes/schema.ts';
import { CHANGES_KEPT_DAYS } from '../../core/analytics/dashboards/changes/service.ts';
import { type Route, route } from '../route.ts';
import { pagedRoute } from './noun-routes.ts';

const CHANGES = '/api/v1/runtime/observability/dashboard-changes';
const TAG = 'Dashboards';

export const dashboardChangeRoutes: Route[] = [
  pagedRoute({
    path: CHANGES,
    access: 'dashboards:read',
    tag: TAG,
    summary: 'List changes by agents',
    description: `What agents changed in cards and tabs over MCP in the last ${CHANGES_KEPT_DAYS} days, newest first.`,
    query: changesQuerySchema,
    page: 'One page of them.',
    member: ['changes', z.array(dashboardChangeSchema)],
    list: ({ services, caller, query }) => services.dashboardChanges.list(caller, query),
  }),
  route({
    method: 'post',
    path: `${CHANGES}/:id/undo`,
    access: 'dashboards:write',
    tag: TAG,
    summary: 'Undo a change by an agent',
    description:
      'Puts back what was there before: a deleted card has its id again, and a new card or tab is gone. A card whose tab is gone is in none.',
    params: z.strictObject({ id: z.string() }),
    body: { schema: z.strictObject({}), maxBytes: 1024, optional: true },
    faults: {
      404: 'There is no such change.',
      409: 'The card or tab was changed since, or this is undone already.',
      422: 'The agent has as many cards, or the tenant as many bytes of definitions, as it can.',
    },
    responses: {
      200: {
        description: 'It is undone.',
        schema: z.object({ success: z.literal(true), change: dashboardChangeSchema }),
      },
    },
    answer: async ({ services, caller, params }) => ({
      success: true,
      change: await services.dashboardChanges.undo(caller, params.id),
    }),
  }),
];
