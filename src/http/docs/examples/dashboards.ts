import { basis } from './events.ts';
import type { Examples } from './example.ts';

const tab = {
  id: '019cae1c-a4dc-7538-8453-538453d75384',
  agentId: 'support',
  name: 'Support',
  sortOrder: 0,
  createdAt: '2026-03-02T09:58:18.000Z',
  updatedAt: '2026-03-02T09:58:18.000Z',
};
const movedTab = { ...tab, sortOrder: 2, updatedAt: '2026-03-02T09:58:22.000Z' };

const card = {
  id: '019cae1c-a613-7f1b-8bcd-f1bbcd88f1bb',
  agentId: 'support',
  title: 'Tickets resolved',
  cardType: 'number',
  config: {
    eventName: 'ticket_resolved',
    aggregation: 'count',
    dateFrom: '2026-03-02',
    dateTo: '2026-03-02',
    compareTo: 'previous_period',
  },
  gridLayout: { x: 0, y: 0, w: 3, h: 2 },
  sortOrder: 0,
  tabId: tab.id,
  idempotencyKey: null,
  createdAt: '2026-03-02T09:58:41.000Z',
  updatedAt: '2026-03-02T09:58:41.000Z',
};
const renamedCard = { ...card, title: 'Tickets resolved on Monday', updatedAt: '2026-03-02T09:58:47.000Z' };

const rendered = {
  card: { id: card.id, title: 'Tickets resolved on Monday', cardType: 'number' },
  data: {
    value: 3,
    previous: {
      value: 0,
      change: 3,
      changeRatio: null,
      from: '2026-03-01T00:00:00.000Z',
      to: '2026-03-02T00:00:00.000Z',
    },
    formatted: '3',
  },
  basis,
};

const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" width="640" height="360" role="img"><title>Tickets resolved on Monday</title>...</svg>';

const secret = 'arl_2mQ8vT0kYx7LrNwB4cHfJ6sDgZpE1aUiOyK9tVbXnMq';
const link = {
  id: '019cae1e-7c11-7a02-b6d3-8f1e0c5a9d42',
  createdAt: '2026-03-02T10:02:00.000Z',
  createdBy: 'test',
  expiresAt: '2026-04-01T10:02:00.000Z',
  lastUsedAt: null,
  valid: true,
};
const sharedTab = {
  title: 'Support desk',
  total: 1,
  cards: [
    {
      ...{ number: 1, title: rendered.card.title, cardType: 'number', gridLayout: { ...card.gridLayout, x: 3 } },
      answer: {
        data: { value: 3, previous: { value: 0, change: 3, changeRatio: null }, formatted: '3' },
        basis: {
          ...{ aggregation: 'count', from: '2026-03-02T00:00:00.000Z', to: '2026-03-03T00:00:00.000Z' },
          ...{ timezone: 'UTC', matchedEvents: 3 },
        },
      },
    },
  ],
};

const change = {
  id: '019cae1e-2b40-7d05-9c11-5a0c1b2f7e31',
  at: '2026-03-02T10:00:36.000Z',
  kind: 'card',
  itemId: '019cae1d-90aa-7b3c-8f27-1c44d2e9a6b0',
  agentId: 'support',
  title: 'Orders',
  action: 'deleted',
  by: { kind: 'key', id: 'x1Y2z3A4b5C6', label: 'test', client: null, userId: null },
  tool: 'delete_card',
  intent: 'Nobody looks at it.',
  state: 'current',
  undoneAt: null,
  undoneBy: null,
};

export const dashboardsExamples: Examples = {
  postObservabilityDashboardTabs: {
    made: {
      summary: 'A new tab',
      body: { name: 'Support' },
      status: 201,
      answer: { success: true, created: true, id: tab.id, tab },
    },
    known: {
      summary: 'A tab that is there already, moved',
      body: { name: 'Support', sortOrder: 2 },
      answer: { success: true, created: false, id: tab.id, tab: movedTab },
    },
  },
  getObservabilityDashboardTabs: {
    support: {
      summary: "An agent's tabs",
      query: { agentId: 'support' },
      answer: { success: true, total: 1, tabs: [movedTab] },
    },
  },
  getObservabilityDashboardTabsId: {
    support: {
      summary: 'One tab',
      params: { id: tab.id },
      answer: { success: true, tab: movedTab },
    },
  },
  patchObservabilityDashboardTabsId: {
    renamed: {
      summary: 'A tab with another name',
      params: { id: tab.id },
      body: { name: 'Support desk' },
      answer: {
        success: true,
        tab: { ...tab, name: 'Support desk', sortOrder: 2, updatedAt: '2026-03-02T09:58:32.000Z' },
      },
    },
  },
  postObservabilityDashboardCards: {
    made: {
      summary: 'A number beside that of the period before',
      body: {
        title: 'Tickets resolved',
        cardType: 'number',
        tabId: tab.id,
        gridLayout: card.gridLayout,
        config: card.config,
      },
      status: 201,
      answer: { success: true, created: true, id: card.id, card },
    },
    known: {
      summary: 'The same card with another title',
      body: { title: 'Tickets resolved on Monday', cardType: 'number', config: card.config },
      answer: {
        success: true,
        created: false,
        id: card.id,
        card: renamedCard,
        notes: [
          'A card with this agentId, eventName, cardType, aggregation and propertyKey existed and was changed. To keep cards apart that differ in other members, send an idempotencyKey with each.',
        ],
      },
    },
  },
  getObservabilityDashboardCards: {
    support: {
      summary: "An agent's cards",
      query: { agentId: 'support' },
      answer: { success: true, total: 1, cards: [renamedCard] },
    },
  },
  getObservabilityDashboardCardsId: {
    number: {
      summary: 'One card',
      params: { id: card.id },
      answer: { success: true, card: renamedCard },
    },
  },
  patchObservabilityDashboardCardsId: {
    placed: {
      summary: 'A card in another place',
      params: { id: card.id },
      body: { gridLayout: { x: 3, y: 0, w: 3, h: 2 }, sortOrder: 1 },
      answer: {
        success: true,
        card: {
          ...card,
          title: 'Tickets resolved on Monday',
          gridLayout: { x: 3, y: 0, w: 3, h: 2 },
          sortOrder: 1,
          updatedAt: '2026-03-02T09:59:00.000Z',
        },
      },
    },
  },
  postObservabilityDashboardCardsPreview: {
    data: {
      summary: 'A preview as data',
      body: { title: 'Tickets resolved on Monday', cardType: 'number', config: card.config },
      answer: { ...rendered, card: { ...rendered.card, id: 'preview' } },
    },
    svg: {
      summary: 'A preview as SVG, in dark colours',
      query: { theme: 'dark' },
      headers: { accept: 'image/svg+xml' },
      body: { title: 'Tickets resolved on Monday', cardType: 'number', config: card.config },
      answer: svg,
      answerType: 'image/svg+xml',
    },
    png: {
      summary: 'A preview as PNG',
      query: { width: '480', height: '270' },
      headers: { accept: 'image/png' },
      body: { title: 'Tickets resolved on Monday', cardType: 'number', config: card.config },
      answer: 'the bytes of the picture',
      answerType: 'image/png',
    },
  },
  postObservabilityDashboardCardsRender: {
    one: {
      summary: 'The cards of a dashboard, for one day',
      body: { ids: [card.id], dateFrom: '2026-03-02', dateTo: '2026-03-02' },
      answer: { cards: [{ id: card.id, ...rendered }] },
    },
  },
  getObservabilityDashboardCardsIdRender: {
    number: {
      summary: 'What the card shows',
      params: { id: card.id },
      answer: rendered,
    },
    earlier: {
      summary: 'What the card shows for another range',
      params: { id: card.id },
      query: { dateFrom: '2026-03-02', dateTo: '2026-03-02', timezone: 'UTC' },
      answer: rendered,
    },
    svg: {
      summary: 'The card as SVG',
      params: { id: card.id },
      query: { locale: 'pt-BR' },
      headers: { accept: 'image/svg+xml' },
      answer: svg,
      answerType: 'image/svg+xml',
    },
    png: {
      summary: 'The card as PNG, for a high-resolution screen',
      params: { id: card.id },
      query: { scale: '2' },
      headers: { accept: 'image/png' },
      answer: 'the bytes of the picture',
      answerType: 'image/png',
    },
  },
  deleteObservabilityDashboardCardsId: {
    one: { summary: 'A card that is gone', params: { id: card.id } },
  },
  deleteObservabilityDashboardTabsId: {
    one: { summary: 'A tab that is gone', params: { id: tab.id } },
  },
  getObservabilityDashboardChanges: {
    all: {
      summary: 'A card that an agent deleted',
      answer: { changes: [change], total: 1, limit: 50, offset: 0 },
    },
  },
  postObservabilityDashboardChangesIdUndo: {
    deleted: {
      summary: 'The card comes back',
      params: { id: change.id },
      body: {},
      answer: {
        success: true,
        change: { ...change, state: 'undone', undoneAt: '2026-03-02T10:01:10.000Z', undoneBy: 'test' },
      },
    },
  },
  postObservabilityDashboardTabsIdLinks: {
    month: {
      summary: 'A link that is valid for 30 days',
      params: { id: tab.id },
      body: {},
      status: 201,
      answer: { success: true, ...link, url: `https://runtime.example.com/shared/${secret}` },
    },
  },
  getObservabilityDashboardTabsIdLinks: {
    one: {
      summary: 'The links of a tab',
      params: { id: tab.id },
      answer: { success: true, total: 1, links: [link], frameOrigins: [] },
    },
  },
  deleteObservabilityDashboardTabsIdLinksLinkId: {
    one: { summary: 'A link that opens nothing any more', params: { id: tab.id, linkId: link.id } },
  },
  getSharedSecretJson: {
    one: { summary: 'What the tab shows', params: { secret }, answer: sharedTab },
  },
  getSharedSecretSvg: {
    dark: {
      summary: 'The tab in dark colours',
      params: { secret },
      query: { theme: 'dark' },
      answer: svg,
      answerType: 'image/svg+xml',
    },
  },
  getSharedSecretPng: {
    large: {
      summary: 'The tab for a high-resolution screen',
      params: { secret },
      query: { scale: '2' },
      answer: 'the bytes of the picture',
      answerType: 'image/png',
    },
  },
};
