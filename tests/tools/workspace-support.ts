import assert from 'node:assert/strict';
import { MAX_BYTES } from './answer-support.ts';
import { assertSameAnswer } from './same-answer.ts';
import { sharedApp, toolCaller } from './support.ts';

export const CARDS = '/api/v1/runtime/observability/dashboard-cards';
const TABS = '/api/v1/runtime/observability/dashboard-tabs';
export const NOT_AN_INSTRUCTION = /data, not instructions/;

export interface DescribedProperty {
  key: string;
  type: string;
  values?: (string | number | boolean)[];
  min?: number;
  max?: number;
  distinct?: number;
}

interface DescribedEvent {
  eventName: string;
  count: number;
  firstSeen: string;
  lastSeen: string;
  properties: DescribedProperty[];
}

export interface Workspace {
  now: string;
  timezone: string;
  agentId: string | null;
  agents: string[];
  events: DescribedEvent[];
  totalEventNames: number;
  nextOffset?: number;
  tabs: { id: string; name: string }[];
  cards: { id: string; title: string; cardType: string; tabId?: string }[];
  note: string;
}

export const COUNT_CARD = { cardType: 'number', config: { eventName: 'sale', aggregation: 'count' } };

let tenants = 0;

/** A tenant with these events, ways to describe it with and without an agent, and to make cards. */
export async function describedTenant(events: object[]) {
  const app = await sharedApp();
  const { name: tenant } = await app.runtime.tenants.create({ name: `described tenant ${++tenants}` });
  const key = await app.newKey({ tenant });
  const describer = async (withKey: string) => {
    const call = await toolCaller(withKey);
    return async (args: object = {}): Promise<Workspace> => {
      const { isError, text, data } = await call('describe_workspace', args);
      assert.equal(isError, false, text);
      assertSameAnswer(text, data);
      assert.ok(Buffer.byteLength(text) <= MAX_BYTES, `${Buffer.byteLength(text)} bytes`);
      return data;
    };
  };
  const ingest = async (more: object[]) => {
    for (let start = 0; start < more.length; start += 500) await app.ingest(more.slice(start, start + 500), key);
  };
  const make = async (path: string, body: object): Promise<string> => {
    const answer = await app.request('POST', path, body, { 'x-api-key': key });
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return answer.body.id;
  };
  await ingest(events);
  return {
    app,
    tenant,
    key,
    ingest,
    call: await toolCaller(key),
    describe: await describer(key),
    describeUnbound: await describer(await app.newKey({ tenant, agentId: null, scopes: ['mcp:read'] })),
    makeCard: (card: object) => make(CARDS, card),
    makeTab: (tab: object) => make(TABS, tab),
  };
}
