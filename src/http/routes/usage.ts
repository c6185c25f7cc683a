import { usageSchema } from '../../core/limits/quotas/schema.ts';
import { type Route, route } from '../route.ts';

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
