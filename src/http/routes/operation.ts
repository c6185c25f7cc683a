import { z } from 'zod';
import { usageSchema } from '../../core/limits/quotas/schema.ts';
import { type Route, route } from '../route.ts';

const readySchema = z.object({
  status: z.literal('ready'),
  dependencies: z
    .record(z.string(), z.enum(['ok', 'unavailable']))
    .optional()
    .describe('Whether the stores that nodes share answer; only on nodes.'),
});

export const healthRoutes: Route[] = [
  route({
    method: 'get',
    path: '/healthz',
    access: 'open',
    tag: 'Operation',
    summary: 'Is the process alive?',
    description: 'Answers as long as the process can answer at all.',
    responses: { 200: { description: 'Alive.', schema: z.object({ status: z.literal('ok') }) } },
    answer: async () => ({ status: 'ok' }),
  }),
  route({
    method: 'get',
    path: '/readyz',
    access: 'open',
    tag: 'Operation',
    summary: 'Can it serve?',
    description:
      'Asks every store; 503 when requests cannot be served. Nodes go on without ClickHouse: events are accepted, questions are 503.',
    responses: { 200: { description: 'Ready.', schema: readySchema } },
    run: async ({ services }) => {
      return { body: { status: 'ready', ...(await services.ready()) } };
    },
  }),
];

export const usageRoutes: Route[] = [
  route({
    method: 'get',
    path: '/api/v1/runtime/v1/usage',
    access: 'authenticated',
    tag: 'Usage',
    summary: 'Get your own usage',
    description:
      'The quotas and budgets of the tenant and of the API key that asks: how much is allowed, used, reserved and left, and ' +
      'when the window ends. Quotas that are not set are not listed. See docs/limits.md.',
    responses: { 200: { description: 'Quotas and their usage.', schema: usageSchema } },
    answer: ({ services, caller }) => services.usage.own(caller),
  }),
];
