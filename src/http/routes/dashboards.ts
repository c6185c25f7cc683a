import { z } from 'zod';
import {
  dashboardCardSchema,
  dashboardTabSchema,
  listQuerySchema,
  updateCardSchema,
  updateTabSchema,
  upsertCardSchema,
  upsertTabSchema,
} from '../../core/analytics/dashboards/schema.ts';
import { MAX_CARD_BYTES, notesOnPut } from '../../core/analytics/dashboards/service.ts';
import { withNotes } from '../../core/analytics/events/questions/notes.ts';
import { notesShape } from '../../core/analytics/events/schema.ts';
import { type Route, route } from '../route.ts';
import { nounRoutes } from './noun-routes.ts';
import { CARDS, renderingRoutes } from './rendering.ts';

export const TABS = '/api/v1/runtime/observability/dashboard-tabs';

const READ = { access: 'dashboards:read', tag: 'Dashboards' } as const;
const WRITE = { access: 'dashboards:write', tag: 'Dashboards' } as const;
const noun = {
  params: z.strictObject({ id: z.string() }),
  tag: 'Dashboards',
  scopes: { read: 'dashboards:read', write: 'dashboards:write' },
  maxBytes: MAX_CARD_BYTES,
} as const;
const cards = nounRoutes({
  ...noun,
  path: CARDS,
  member: 'card',
  schema: dashboardCardSchema,
  missing: 'There is no such card.',
});
const tabs = nounRoutes({
  ...noun,
  path: TABS,
  member: 'tab',
  schema: dashboardTabSchema,
  missing: 'There is no such tab.',
});
const success = { success: z.literal(true) };
const upserted = { ...success, created: z.boolean(), id: z.string() };
const upsertedCard = z.object({ ...upserted, card: dashboardCardSchema, ...notesShape });

const upsertedTab = z.object({ ...upserted, tab: dashboardTabSchema });

const cardRoutes: Route[] = [
  route({
    method: 'get',
    path: CARDS,
    ...READ,
    summary: 'List cards',
    description: 'The cards of an agent, or of all, by sortOrder, then by age.',
    query: listQuerySchema,
    responses: {
      200: {
        description: 'All of them.',
        schema: z.object({ ...success, total: z.int(), cards: z.array(dashboardCardSchema) }),
      },
    },
    run: async ({ services, caller, query }) => {
      const cards = await services.dashboards.cards(caller, query);
      return { body: { success: true, total: cards.length, cards } };
    },
  }),
  route({
    method: 'post',
    path: CARDS,
    ...WRITE,
    summary: 'Make or change a card',
    description:
      'Idempotent on agentId, eventName, cardType, aggregation and propertyKey, or on idempotencyKey when given. ' +
      'A repeated one changes the card (created: false); tabId, gridLayout and sortOrder that are left out stay. ' +
      'Configs by type are described in docs/dashboards.md.',
    body: { schema: upsertCardSchema, maxBytes: MAX_CARD_BYTES },
    faults: {
      404: 'There is no such tab, or it is one of another agent.',
      422: 'The agent has as many cards, or the tenant as many bytes of definitions, as it can.',
    },
    responses: {
      200: { description: 'The card existed and was changed.', schema: upsertedCard },
      201: { description: 'The card is new.', schema: upsertedCard },
    },
    run: async ({ services, caller, body }) => {
      const { created, card } = await services.dashboards.upsertCard(caller, body);
      return {
        status: created ? 201 : 200,
        body: { success: true, created, id: card.id, card, ...withNotes({ notes: notesOnPut(created, card) }) },
      };
    },
  }),
  cards.get({
    summary: 'Get a card',
    description:
      'One card with its config as it was sent, but for a limit that was capped, null, and values in other spellings.',
    answer: ({ services, caller, params }) => services.dashboards.card(caller, params.id),
  }),
  cards.change({
    summary: 'Change a card',
    description:
      'Send only what changes. config replaces the whole config; cardType needs it beside it. 409 when another card asks the same by then.',
    body: updateCardSchema,
    faults: {
      404: 'There is no such card or tab.',
      409: 'Another card asks the same.',
      422: 'The tenant has as many bytes of definitions as it can.',
    },
    answer: ({ services, caller, params, body }) => services.dashboards.updateCard(caller, params.id, body),
  }),
  cards.remove({
    summary: 'Delete a card',
    description: 'The card is gone; its events stay.',
    run: ({ services, caller, params }) => services.dashboards.deleteCard(caller, params.id),
  }),
];

const tabRoutes: Route[] = [
  route({
    method: 'get',
    path: TABS,
    ...READ,
    summary: 'List tabs',
    description: 'The tabs of an agent, or of all, by sortOrder ascending.',
    query: listQuerySchema,
    responses: {
      200: {
        description: 'All of them.',
        schema: z.object({ ...success, total: z.int(), tabs: z.array(dashboardTabSchema) }),
      },
    },
    run: async ({ services, caller, query }) => {
      const tabs = await services.dashboards.tabs(caller, query);
      return { body: { success: true, total: tabs.length, tabs } };
    },
  }),
  route({
    method: 'post',
    path: TABS,
    ...WRITE,
    summary: 'Make a tab',
    description: 'Idempotent on agentId and name. A sortOrder that is given and differs is updated.',
    body: { schema: upsertTabSchema, maxBytes: MAX_CARD_BYTES },
    responses: {
      200: { description: 'The tab existed.', schema: upsertedTab },
      201: { description: 'The tab is new.', schema: upsertedTab },
    },
    run: async ({ services, caller, body }) => {
      const { created, tab } = await services.dashboards.upsertTab(caller, body);
      return { status: created ? 201 : 200, body: { success: true, created, id: tab.id, tab } };
    },
  }),
  tabs.get({
    summary: 'Get a tab',
    description: 'One tab; the cards in it carry its id as tabId.',
    answer: ({ services, caller, params }) => services.dashboards.tab(caller, params.id),
  }),
  tabs.change({
    summary: 'Change a tab',
    description: 'Renames or moves it. 409 when the agent has a tab of that name already.',
    body: updateTabSchema,
    faults: { 409: 'The agent has a tab of that name.' },
    answer: ({ services, caller, params, body }) => services.dashboards.updateTab(caller, params.id, body),
  }),
  tabs.remove({
    summary: 'Delete a tab',
    description: 'The cards of the tab stay, in no tab.',
    run: ({ services, caller, params }) => services.dashboards.deleteTab(caller, params.id),
  }),
];

// Rendering first: `/:id` would match `/preview` and `/render`.
export const dashboardRoutes: Route[] = [...renderingRoutes, ...cardRoutes, ...tabRoutes];
