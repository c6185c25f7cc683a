import { z } from 'zod';
import {
  createQueueSchema,
  handedSchema,
  queueListSchema,
  queueSchema,
  queuesQuerySchema,
  updateQueueSchema,
} from '../../core/agents/queues/schema.ts';
import { callerIdSchema } from '../../core/base/shared/name-schemas.ts';
import { type Route, route } from '../route.ts';

const QUEUES = '/api/v1/runtime/v1/observability/queues';
const ONE = `${QUEUES}/:name`;
const named = z.strictObject({ name: z.string().describe('The name of the queue.') });
const ofItem = named.extend({ executionId: callerIdSchema.describe('The execution that is the item.') });
const MAX_BYTES = 256 * 1024;
const MISSING = 'There is no such queue.';
const UNKNOWN = 'The rubric or a user is not there, or the tenant has as many queues as it can.';
const SCOPES = 'The credential lacks `reviews:write`, `executions:read`, or, with an outcome, `events:read`.';
const OTHERS = 'The credential lacks the scope, or the queue names other people.';
const tag = 'Review queues';
/** They need no body. */
const body = { schema: z.strictObject({}), maxBytes: 1024, optional: true } as const;
const counted = { 200: { description: 'What the caller holds by this, and the counts.', schema: handedSchema } };
const WRITE = { access: 'reviews:write', tag } as const;

function item(action: 'done' | 'skip' | 'release', summary: string, description: string, conflict: string): Route {
  return route({
    method: 'post',
    path: `${ONE}/items/:executionId/${action}`,
    ...WRITE,
    summary,
    description,
    params: ofItem,
    body,
    faults: { 403: OTHERS, 404: 'There is no such queue, or the execution is not in it.', 409: conflict },
    responses: counted,
    answer: ({ services, caller, params }) => services.queueHands[action](caller, params.name, params.executionId),
  });
}

const NEVER_HELD = 'The caller never had the item, or gave it back.';

export const queueRoutes: Route[] = [
  route({
    method: 'get',
    path: QUEUES,
    access: 'reviews:read',
    tag,
    summary: 'List queues',
    description: 'By name, with their counts as far as they are filled.',
    query: queuesQuerySchema,
    responses: { 200: { description: 'One page of queues.', schema: queueListSchema } },
    answer: ({ services, caller, query }) => services.queues.list(caller, query),
  }),
  route({
    method: 'post',
    path: QUEUES,
    ...WRITE,
    summary: 'Make a queue',
    description:
      'A queue has the executions that match its filters, a share of them, or those in whose threads an event followed. It ' +
      'fills itself: with those that are recorded, and with those that come or change.',
    body: { schema: createQueueSchema, maxBytes: MAX_BYTES },
    faults: { 403: SCOPES, 409: 'The queue is there already.', 422: UNKNOWN },
    responses: { 201: { description: 'The queue.', schema: queueSchema } },
    answer: ({ services, caller, body }) => services.queues.create(caller, body),
  }),
  route({
    method: 'get',
    path: ONE,
    access: 'reviews:read',
    tag,
    summary: 'Get a queue',
    description: 'One queue with its counts and the progress of each person.',
    params: named,
    faults: { 404: MISSING },
    responses: { 200: { description: 'The queue.', schema: queueSchema } },
    answer: ({ services, caller, params }) => services.queues.get(caller, params.name),
  }),
  route({
    method: 'patch',
    path: ONE,
    ...WRITE,
    summary: 'Change a queue',
    description:
      'Send only what changes. Other filters, share or outcome fill the queue anew; items that somebody was handed stay.',
    params: named,
    body: { schema: updateQueueSchema, maxBytes: MAX_BYTES },
    faults: { 403: SCOPES, 404: MISSING, 422: 'The rubric or a user is not there.' },
    responses: { 200: { description: 'The changed queue.', schema: queueSchema } },
    answer: ({ services, caller, params, body }) => services.queues.update(caller, params.name, body),
  }),
  route({
    method: 'delete',
    path: ONE,
    ...WRITE,
    summary: 'Remove a queue',
    description: 'With its items and what people did with them; executions and reviews stay.',
    params: named,
    faults: { 404: MISSING },
    responses: { 204: { description: 'Removed.' } },
    run: ({ services, caller, params }) => services.queues.remove(caller, params.name),
  }),
  route({
    method: 'post',
    path: `${ONE}/next`,
    ...WRITE,
    summary: 'Take the next item',
    description:
      'The oldest execution that nobody holds and that the caller neither finished nor skipped. For ten minutes nobody else ' +
      'gets it; whoever asks again within them gets it again, for another ten minutes.',
    params: named,
    body,
    faults: { 403: OTHERS, 404: MISSING, 503: 'The queue is still being filled.' },
    responses: counted,
    answer: ({ services, caller, params }) => services.queueHands.next(caller, params.name),
  }),
  item(
    'done',
    'Finish an item',
    'The caller is done with it. It is done for everybody when as many people are as the queue asks for.',
    NEVER_HELD,
  ),
  item('skip', 'Skip an item', 'The caller never gets it again; others do.', NEVER_HELD),
  item(
    'release',
    'Give an item back',
    'Undoes the last step: what the caller holds is free at once; what they finished or skipped they hold again.',
    `${NEVER_HELD} Or somebody else holds it now.`,
  ),
];
