import { z } from 'zod';
import { changeFirstHourSchema, firstHourSchema, sampleDataSchema } from '../../../core/analytics/first-hour/schema.ts';
import { type Route, route } from '../../route.ts';
import { MAX_PORTAL_BYTES, PORTAL } from './login-answer.ts';

const FIRST_HOUR = `${PORTAL}/first-hour`;
const SAMPLE_DATA = `${PORTAL}/sample-data`;
const TAG = 'Portal: first hour';
const USER = { access: 'portal:user', tag: TAG } as const;

export const firstHourRoutes: Route[] = [
  route({
    method: 'get',
    path: FIRST_HOUR,
    ...USER,
    summary: 'Get the steps of the first hour',
    description:
      'Which of the first steps the tenant has taken, over whatever channel: an event, a call of an MCP tool, a question, a card. Cheap: pages ask every few seconds.',
    responses: { 200: { description: 'The steps, and what the events suggest to ask.', schema: firstHourSchema } },
    answer: ({ services, caller }) => services.firstHour.progress(caller),
  }),
  route({
    method: 'put',
    path: FIRST_HOUR,
    ...USER,
    summary: 'Put the checklist of the first hour away',
    description: 'For the user who asks alone; false takes it out again.',
    body: { schema: changeFirstHourSchema, maxBytes: MAX_PORTAL_BYTES },
    responses: { 200: { description: 'The steps as they are now.', schema: firstHourSchema } },
    answer: ({ services, caller, body }) => services.firstHour.putAway(caller, body),
  }),
  route({
    method: 'get',
    path: SAMPLE_DATA,
    ...USER,
    summary: 'Get the state of the sample data',
    description: 'Whether the workspace has the sample data, and what belongs to it.',
    responses: { 200: { description: 'What there is.', schema: sampleDataSchema } },
    answer: ({ services, caller }) => services.sampleData.get(caller),
  }),
  route({
    method: 'post',
    path: SAMPLE_DATA,
    access: 'portal:administrator',
    tag: TAG,
    summary: 'Load the sample data',
    description:
      'The story of a support desk: 30 days of events of an agent of their own, with metrics (`sample_...`), tabs and cards. All of it is loaded, or nothing.',
    body: { schema: z.strictObject({}), maxBytes: MAX_PORTAL_BYTES, optional: true },
    faults: { 409: 'It is there, or is being loaded.' },
    responses: { 201: { description: 'It is there, and can be asked about.', schema: sampleDataSchema } },
    answer: ({ services, caller }) => services.sampleData.load(caller),
  }),
  route({
    method: 'delete',
    path: SAMPLE_DATA,
    access: 'portal:administrator',
    tag: TAG,
    summary: 'Remove the sample data',
    description: 'Removes the events, metrics, tabs and cards that came with it, and nothing else.',
    faults: { 404: 'There is no sample data.', 409: 'It is being loaded.' },
    responses: { 204: { description: 'It is gone.' } },
    run: ({ services, caller }) => services.sampleData.remove(caller),
  }),
];
