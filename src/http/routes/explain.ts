import { explainChangeSchema, explanationSchema } from '../../core/analytics/events/changes/schema.ts';
import { type Route, route } from '../route.ts';

const MAX_BYTES = 1024 * 1024;

export const explainRoutes: Route[] = [
  route({
    method: 'post',
    path: '/api/v1/runtime/observability/explain',
    access: 'events:read',
    tag: 'Metrics',
    summary: 'Explain a change',
    description:
      'Which groups of which properties carry the difference of two periods: the same question and answer as the MCP tool `explain_change`, which docs/explain.md describes.',
    body: { schema: explainChangeSchema, maxBytes: MAX_BYTES },
    headers: { 'x-wait-for': 'Receipt of an ingest: waits up to 5 s until its events are visible.' },
    faults: { 422: 'The change of this measure cannot be split among groups; the message says what can.' },
    responses: { 200: { description: 'The contributions, and what they rest on.', schema: explanationSchema } },
    answer: ({ services, caller, body, header, signal }) =>
      services.events.explainChange(caller, body, {
        waitFor: header('x-wait-for'),
        signal,
        scope: 'events:read',
      }),
  }),
];
