import { z } from 'zod';
import { type Route, route } from '../route.ts';

export const healthRoutes: Route[] = [
  route({
    method: 'get',
    path: '/healthz',
    access: 'open',
    tag: 'Operation',
    summary: 'Is the process alive?',
    description: 'Answers as long as the process can answer at all.',
    responses: { 200: { description: 'Alive.', schema: z.object({ status: z.literal('ok') }) } },
    run: async () => ({ body: { status: 'ok' } }),
  }),
  route({
    method: 'get',
    path: '/readyz',
    access: 'open',
    tag: 'Operation',
    summary: 'Can it serve?',
    description: 'Asks every store; 503 when one does not answer.',
    responses: { 200: { description: 'Ready.', schema: z.object({ status: z.literal('ready') }) } },
    run: async ({ services }) => {
      await services.ready();
      return { body: { status: 'ready' } };
    },
  }),
];
