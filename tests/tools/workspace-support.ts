import assert from 'node:assert/strict';
import { answerOf, sharedApp, type ToolAnswer } from './support.ts';

export const MAX_BYTES = 40 * 1024;
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

let places = 0;

/** A tenant with these events, what its keys are told, and a way to make cards. */
export async function place(events: object[]) {
  const app = await sharedApp();
  const { name: tenant } = await app.runtime.tenants.create({ name: `place ${++places}` });
  const key = await app.newKey({ tenant });
  const asking = async (withKey: string) => {
    const client = await app.mcpClient(withKey);
    return async (name: string, args: object): Promise<ToolAnswer> =>
      answerOf(await client.callTool({ name, arguments: args as Record<string, unknown> }));
  };
  const describing = async (withKey: string) => {
    const ask = await asking(withKey);
    return async (args: object = {}): Promise<Workspace> => {
      const { isError, text, data } = await ask('describe_workspace', args);
      assert.equal(isError, false, text);
      assert.deepEqual(JSON.parse(text), data);
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
    call: await asking(key),
    describe: await describing(key),
    describeUnbound: await describing(await app.newKey({ tenant, agentId: null, scopes: ['mcp:read'] })),
    makeCard: (card: object) => make(CARDS, card),
    makeTab: (tab: object) => make(TABS, tab),
  };
}
