import assert from 'node:assert/strict';
import type { TestApp } from '../../../support/app.ts';

export const CARDS = '/api/v1/runtime/observability/dashboard-cards';
export const TABS = '/api/v1/runtime/observability/dashboard-tabs';

/** A tab with two cards, and a card that is in no tab. */
export async function sharedTab(app: Pick<TestApp, 'request' | 'ingest'>): Promise<string> {
  const timestamp = new Date().toISOString();
  const order = (amount: number, plan: string) => ({
    ...{ eventName: 'order', timestamp, threadId: `thread-${plan}`, executionId: `execution-${plan}` },
    properties: { amount, plan },
  });
  await app.ingest([order(3, 'pro'), order(4, 'free')]);
  const tab = (await made(app, TABS, { name: 'Sales' })).id;
  const config = { eventName: 'order', aggregation: 'sum', propertyKey: 'amount' };
  const card = { title: 'Orders', cardType: 'number', config, tabId: tab, gridLayout: { x: 0, y: 0, w: 3, h: 2 } };
  await made(app, CARDS, card);
  await made(app, CARDS, { title: 'All', cardType: 'table', config: { eventName: 'order', mode: 'raw' }, tabId: tab });
  await made(app, CARDS, {
    title: 'Elsewhere',
    cardType: 'number',
    config: { eventName: 'order', aggregation: 'count' },
  });
  return tab;
}

export async function made(app: Pick<TestApp, 'request'>, path: string, body: object) {
  const answer = await app.request('POST', path, body);
  assert.ok(answer.status < 300, JSON.stringify(answer.body));
  return answer.body;
}

export interface MadeLink {
  id: string;
  /** The path of the page. */
  path: string;
}

export async function linkTo(
  app: Pick<TestApp, 'request'>,
  tab: string,
  body: { expiresAt?: string | null } = {},
): Promise<MadeLink> {
  const { id, url } = await made(app, `${TABS}/${tab}/links`, body);
  return { id, path: new URL(url).pathname };
}

/** Without a credential, unless one is given. */
export async function visit({ url }: Pick<TestApp, 'url'>, path: string, headers: Record<string, string> = {}) {
  const response = await fetch(url + path, { headers });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

export async function read(app: Pick<TestApp, 'url'>, { path }: MadeLink, headers?: Record<string, string>) {
  const { status, text } = await visit(app, `${path}.json`, headers);
  return { status, body: JSON.parse(text) };
}
