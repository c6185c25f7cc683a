import assert from 'node:assert/strict';
import { test } from 'node:test';
import { post, READERS, refusal, resourceUri, SCHEMA } from './readers.ts';
import { MODERN, sharedApp } from './support.ts';
import { describedTenant } from './workspace-support.ts';

const EVENT = { type: 'ref/resource', uri: `${SCHEMA}/{eventName}` };
const PROPERTY = { type: 'ref/resource', uri: `${SCHEMA}/{eventName}/{propertyKey}` };

test('resources: a key reads only events of its tenant and its agent', async (t) => {
  const theirs = await describedTenant([{ eventName: 'secret_launch', properties: { codename: 'aurora' } }]);
  const mine = await describedTenant([
    { eventName: 'own', properties: { a: 1 } },
    { eventName: 'shop_only', agentId: 'shop' },
  ]);
  for (const [, connect] of READERS) {
    const client = await connect(t, mine.app, mine.key);
    const told = JSON.stringify([
      await client.listResources(),
      await client.readResource({ uri: SCHEMA }),
      await client.complete({ ref: EVENT, argument: { name: 'eventName', value: '' } }),
      await client.complete({ ref: EVENT, argument: { name: 'eventName', value: 'sec' } }),
      await refusal(client.readResource({ uri: resourceUri('secret_lanch') })),
    ]);
    assert.doesNotMatch(told, /secret_launch|codename|aurora|shop_only/);
    assert.match(told, /"own"/);
    const other = { ref: PROPERTY, argument: { name: 'propertyKey', value: '' } };
    for (const eventName of ['secret_launch', 'shop_only']) {
      assert.deepEqual(
        (await client.complete({ ...other, context: { arguments: { eventName } } })).completion.values,
        [],
      );
    }
  }
  assert.ok(theirs.tenant !== mine.tenant);
});

test('resources: a key without mcp:read lists, completes, reads and gets nothing', async (t) => {
  const { app, tenant } = await describedTenant([
    { eventName: 'hidden_event', agentId: 'hidden_agent', properties: { hidden_key: 1 } },
  ]);
  const key = await app.newKey({ tenant, agentId: null, scopes: ['events:read', 'dashboards:read'] });
  const completions = [
    { ref: EVENT, argument: { name: 'eventName', value: '' } },
    {
      ref: PROPERTY,
      argument: { name: 'propertyKey', value: '' },
      context: { arguments: { eventName: 'hidden_event' } },
    },
    { ref: { type: 'ref/prompt', name: 'weekly_report' }, argument: { name: 'agentId', value: '' } },
  ];
  for (const [era, connect] of READERS) {
    const client = await connect(t, app, key);
    assert.deepEqual((await client.listResources()).resources, [], era);
    assert.deepEqual((await client.listResourceTemplates()).resourceTemplates, [], era);
    assert.deepEqual((await client.listPrompts()).prompts, [], era);
    for (const uri of [SCHEMA, resourceUri('hidden_event'), resourceUri('hidden_event', 'hidden_key')]) {
      await assert.rejects(client.readResource({ uri }), /403|mcp:read/, era);
    }
    await assert.rejects(client.getPrompt({ name: 'weekly_report' }), /403|mcp:read/, era);
    for (const asked of completions) {
      const answer = await client.complete(asked).catch((error: Error) => error.message);
      assert.doesNotMatch(JSON.stringify(answer), /hidden/, era);
      if (typeof answer !== 'string') assert.deepEqual(answer.completion.values, [], era);
    }
  }
});

test('resources: a batch does not bypass the scope: 403 names it', async () => {
  const app = await sharedApp();
  await app.ingest([{ eventName: 'hidden_event', properties: { hidden_key: 1 } }]);
  const key = await app.newKey({ scopes: ['events:read'] });
  const message = (method: string, params: object, id = 1) => ({ jsonrpc: '2.0', id, method, params });
  const reading = [
    message('resources/read', { uri: SCHEMA }),
    message('resources/read', { uri: resourceUri('hidden_event') }),
    message('prompts/get', { name: 'weekly_report' }),
  ];
  const harmless = message('ping', {}, 2);
  const modern = { 'mcp-protocol-version': MODERN };
  for (const one of reading) {
    for (const body of [one, [one], [harmless, one], [one, harmless]]) {
      for (const headers of [{}, { ...modern, 'mcp-method': one.method }]) {
        const { status, challenge, text } = await post(app, body, key, headers);
        assert.equal(status, 403, text);
        assert.match(challenge, /^Bearer .*error="insufficient_scope", scope="mcp:read"/);
        assert.match(text, /mcp:read/);
      }
    }
  }
  const completion = message('completion/complete', { ref: EVENT, argument: { name: 'eventName', value: 'h' } });
  for (const body of [completion, [completion], [harmless, completion, message('resources/list', {}, 3)]]) {
    for (const headers of [{}, { ...modern, 'mcp-method': 'completion/complete' }]) {
      const { text, status } = await post(app, body, key, headers);
      assert.ok(status < 500);
      assert.doesNotMatch(text, /hidden|Internal/);
    }
  }
});

test('resources: an internal failure hides its message; the next request works', async (t) => {
  const { app, key } = await describedTenant([{ eventName: 'own' }]);
  const secret = async () => {
    throw new Error('IO Error: cannot open /secret/path/events.duckdb');
  };
  for (const [, connect] of READERS) {
    const client = await connect(t, app, key);
    const failing = t.mock.method(app.runtime.eventStore, 'knownEvents', secret);
    const works = [
      () => client.listResources(),
      () => client.readResource({ uri: SCHEMA }),
      () => client.readResource({ uri: resourceUri('own') }),
      () => client.complete({ ref: EVENT, argument: { name: 'eventName', value: '' } }),
      () => client.getPrompt({ name: 'weekly_report' }),
    ];
    for (const work of works) {
      await assert.rejects(work(), (error: Error & { code?: unknown }) => {
        assert.equal(error.code, -32603);
        assert.match(error.message, /Internal error/);
        assert.doesNotMatch(error.message, /secret|duckdb|IO Error/);
        return true;
      });
    }
    failing.mock.restore();
    assert.equal(JSON.parse((await client.readResource({ uri: resourceUri('own') })).contents[0]!.text).count, 1);
  }
});
