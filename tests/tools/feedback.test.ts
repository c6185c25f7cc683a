import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../support/process.ts';
import { LEGACY, MODERN, sharedApp, toolCaller } from './support.ts';

let tenants = 0;

async function keysOf() {
  const app = await sharedApp();
  const { id: tenantId, name: tenant } = await app.runtime.tenants.create({ name: `feedback ${++tenants}` });
  const newKey = (scopes: Parameters<typeof app.newKey>[0] & object) =>
    app.newKey({ tenant, agentId: 'helper', ...scopes });
  return { app, newKey, tenantId };
}

test('report_gap: what agents could not answer is an event to ask about', async () => {
  const { newKey } = await keysOf();
  const call = await toolCaller(await newKey({ scopes: ['mcp:read'] }));
  const reported = await call('report_gap', { question: 'Revenue by partner?', missing: 'a property partner' });
  assert.equal(reported.data.recorded, true);
  const rows = async () => (await call('query_events', { eventName: 'runtime.gap_reported' })).data.rows;
  await eventually('the gap is visible', async () => (await rows()).length === 1, 5_000);
  const [{ question, missing, id }] = await rows();
  assert.deepEqual([question, missing, id], ['Revenue by partner?', 'a property partner', reported.data.id]);
});

test('track_event: records one event, once for an id; needs events:write', async () => {
  const { newKey } = await keysOf();
  const reader = await toolCaller(await newKey({ scopes: ['mcp:read'] }));
  const event = { eventName: 'refund_promised', properties: { amount: 49.9 }, id: 'promise-1' };
  assert.match((await reader('track_event', event)).text, /insufficient_scope.*events:write/);
  const writer = await toolCaller(await newKey({ scopes: ['mcp:read', 'events:write'] }));
  const first = (await writer('track_event', event)).data;
  assert.deepEqual([first.accepted, first.duplicates], [1, 0]);
  assert.deepEqual((await writer('track_event', event)).data.duplicates, 1);
  const sum = { eventName: 'refund_promised', aggregation: 'sum', propertyKey: 'amount', waitFor: first.receipt };
  assert.equal((await reader('aggregate_events', sum)).data.value, 49.9);
  const reserved = await writer('track_event', { eventName: 'runtime.chat_completed' });
  assert.match(reserved.text, /eventName: names beginning with "runtime\." are reserved/);
});

test('intent: is recorded with the call, never its arguments; no intent breaks a call', async () => {
  const { newKey } = await keysOf();
  const call = await toolCaller(await newKey({ scopes: ['mcp:read'] }));
  const secret = 'hunter2';
  for (const intent of ['find the cause of the fall', 'x'.repeat(2_000), 7, null, '\ud800']) {
    const answer = await call('aggregate_events', { eventName: secret, aggregation: 'count', intent });
    assert.equal(answer.isError, false, answer.text);
  }
  await call('aggregate_events', { eventName: secret, intent: 'a wrong call' });
  const rows = async () =>
    (
      await call('query_events', {
        eventName: 'runtime.tool_called',
        filters: [{ propertyKey: 'tool', operator: 'eq', value: 'aggregate_events' }],
      })
    ).data.rows;
  await eventually('the calls are visible', async () => (await rows()).length === 6, 5_000);
  const recorded = (await rows()) as { outcome: string; intent?: string; durationMs: number }[];
  assert.equal(recorded.filter(({ outcome }) => outcome === 'ok').length, 5);
  assert.equal(recorded.find(({ outcome }) => outcome === 'refused')?.intent, 'a wrong call');
  assert.ok(recorded.some(({ intent }) => intent === 'find the cause of the fall'));
  assert.ok(recorded.every(({ intent = '' }) => intent.length <= 500));
  assert.ok(!JSON.stringify(recorded).includes(secret));
});

test('tool_called: has client, protocol and trace in both eras, and why it failed', async () => {
  const { app, newKey } = await keysOf();
  const key = await newKey({ scopes: ['mcp:read', 'events:write'] });
  const trace = '0af7651916cd43dd8448eb211c80319c';
  const traceparents = [`00-${trace}-b7ad6b7169203331-01`, `00-${'0'.repeat(32)}-b7ad6b7169203331-01`, 'broken', 7];
  const secret = 'hunter2';
  for (const options of [undefined, { versionNegotiation: { mode: { pin: MODERN } } } as const]) {
    const client = await app.mcpClient(key, options);
    for (const traceparent of traceparents) {
      const _meta = { traceparent } as { traceparent: string };
      await client.callTool({ name: 'describe_workspace', arguments: {}, _meta });
    }
    const wrong = {
      eventName: secret,
      aggregation: 'sum',
      [secret]: 1,
      filters: [{ propertyKey: 'a', operator: secret }],
    };
    await client.callTool({ name: 'aggregate_events', arguments: wrong });
    await client.callTool({ name: 'render_dashboard_card', arguments: { cardId: secret } });
  }
  const call = await toolCaller(key);
  const rows = async () => (await call('query_events', { eventName: 'runtime.tool_called', limit: 100 })).data.rows;
  const called = async (tool: string) => (await rows()).filter((row: { tool: string }) => row.tool === tool);
  await eventually('the calls are visible', async () => (await called('render_dashboard_card')).length === 2, 5_000);
  const described = await called('describe_workspace');
  for (const { client, clientVersion } of await rows()) assert.deepEqual([client, clientVersion], ['test', '1.0.0']);
  for (const protocol of [LEGACY, MODERN]) {
    const ofEra = described.filter((row: { protocol: string }) => row.protocol === protocol);
    assert.deepEqual(
      ofEra.map(({ traceId }: { traceId?: string }) => traceId).filter((traceId?: string) => traceId),
      [trace],
      protocol,
    );
    assert.equal(ofEra.length, traceparents.length);
  }
  const reasons = async (tool: string) => (await called(tool)).map(({ reason }: { reason?: string }) => reason);
  assert.deepEqual(await reasons('render_dashboard_card'), ['not_found', 'not_found']);
  for (const reason of await reasons('aggregate_events')) assert.match(reason, /^invalid: .*filters\[0\]\.operator/);
  assert.ok(described.every(({ reason }: { reason?: string }) => reason === undefined));
  assert.ok(!JSON.stringify(await rows()).includes(secret));
});

test('report_gap, intent: count in the quota; beyond it no call fails but a gap', async () => {
  const { app, newKey, tenantId } = await keysOf();
  await app.runtime.quotas.changeTenant({ id: tenantId }, { events: 20 });
  const call = await toolCaller(await newKey({ scopes: ['mcp:read'] }));
  const [gaps, calls] = [25, 25];
  let refused = 0;
  for (let count = 0; count < gaps; count += 1) {
    const { isError, text } = await call('report_gap', { question: `gap ${count}` });
    if (isError) refused += 1;
    if (isError) assert.match(text, /The quota events of the tenant/);
  }
  for (let count = 0; count < calls; count += 1) {
    const answer = await call('query_events', { eventName: 'order', intent: 'x'.repeat(500) });
    assert.equal(answer.isError, false, answer.text);
  }
  assert.ok(refused > 0);
  const rows = async (eventName: string) =>
    (await call('query_events', { eventName, limit: 100 })).data.total as number;
  const stored = async () => (await rows('runtime.gap_reported')) + (await rows('runtime.tool_called'));
  await eventually('all are visible', async () => (await stored()) === 20, 5_000);
  await app.runtime.eventStore.settle();
  assert.equal(await stored(), 20);
  const { tenant } = await app.runtime.usage.ofTenant(tenantId);
  assert.deepEqual(tenant.quotas.find(({ quota }) => quota === 'events')?.used, 20);
});

test('report_gap: 60 at once with a key, and another key still may', async () => {
  const { newKey } = await keysOf();
  const call = await toolCaller(await newKey({ scopes: ['mcp:read'] }));
  const report = (question: string) => call('report_gap', { question });
  const reported = await Promise.all(Array.from({ length: 70 }, (_, index) => report(`gap ${index}`)));
  assert.equal(reported.filter(({ isError }) => !isError).length, 60);
  assert.match(reported.at(-1)!.text, /60 at once, then 1 a minute/);
  const other = await toolCaller(await newKey({ scopes: ['mcp:read'] }));
  assert.equal((await other('report_gap', { question: 'a gap' })).isError, false);
});

test('describe_workspace: calls of tools are listed only where they are asked for', async () => {
  const { newKey } = await keysOf();
  const call = await toolCaller(await newKey({ scopes: ['mcp:read'] }));
  await call('describe_workspace', { intent: 'look around' });
  const found = async () => (await call('describe_workspace', { search: 'tool_called' })).data.events.length;
  await eventually('the calls are known', async () => (await found()) === 1, 5_000);
  assert.deepEqual((await call('describe_workspace', {})).data.events, []);
});
