import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rareTest } from '../support/rare.ts';
import { MAX_BYTES } from './answer-support.ts';
import { post, READERS, type Reader, refusal, resourceUri, SCHEMA } from './readers.ts';
import { MODERN, sharedApp } from './support.ts';
import { COUNT_CARD, describedTenant, NOT_AN_INSTRUCTION } from './workspace-support.ts';

const EVENT = { type: 'ref/resource', uri: `${SCHEMA}/{eventName}` };
const PROPERTY = { type: 'ref/resource', uri: `${SCHEMA}/{eventName}/{propertyKey}` };

/** Names with a meaning in an address, or that need encoding. */
const NAMES = [
  ...['plain', 'two words', ' ', 'a/b', '/', 'a,b', 'a;b=c', 'a?b#c', 'a&b+c', '{eventName}', 'a:b@c', "it's", '*~!()'],
  ...['100%', '100%25', '%', '%2F', '%zz', 'a%20b', 'back\\slash', 'a\nb', '\u0001', '"quoted"', '<a>', '[0]', '|'],
  ...[
    'ação',
    'e\u0301',
    '日本語',
    '😀',
    '👩‍👩‍👧',
    '\u202Eabc',
    'schema',
    'events://schema',
    'x'.repeat(200),
    '語'.repeat(200),
  ],
];

const KEY = 'key /,%é{x}?#';

/** What is listed, without the skills, which are the same everywhere. */
async function ofWorkspace(client: Reader) {
  return (await client.listResources()).resources.filter(({ uri }) => !uri.startsWith('skill://'));
}

for (const [era, connect] of READERS) {
  test(`resources, ${era}: lists workspace and events, reads all three kinds`, async (t) => {
    const { app, key, makeCard } = await describedTenant([
      { eventName: 'ticket opened', properties: { plan: 'pro', minutes: 5 } },
      { eventName: 'ticket opened', properties: { plan: 'free', minutes: 7 } },
      { eventName: 'ticket opened', properties: { plan: 'pro' } },
      { eventName: 'login' },
    ]);
    const cardId = await makeCard({ title: 'A card', ...COUNT_CARD });
    const client = await connect(t, app, key);
    const resources = await ofWorkspace(client);
    assert.deepEqual(
      new Set(resources.map(({ uri }) => uri)),
      new Set([SCHEMA, resourceUri('ticket opened'), resourceUri('login'), `card://${cardId}.png`]),
    );
    assert.ok(resources.some(({ name }) => name === 'ticket opened'));
    const { resourceTemplates } = await client.listResourceTemplates();
    assert.deepEqual(resourceTemplates.map(({ uriTemplate }) => uriTemplate).sort(), [
      'card://{id}.png',
      EVENT.uri,
      PROPERTY.uri,
      'skill://{+path}',
      'ui://agent-runtime/card.html',
    ]);
    const ofEvents = [
      ...resources.map((one) => ({ ...one, at: one.uri })),
      ...resourceTemplates.map((one) => ({ ...one, at: one.uriTemplate })),
    ];
    for (const { mimeType } of ofEvents.filter(({ at }) => at.startsWith(SCHEMA)))
      assert.equal(mimeType, 'application/json');

    const read = async (uri: string) => {
      const { contents } = await client.readResource({ uri });
      assert.equal(contents.length, 1);
      assert.deepEqual([contents[0]!.uri, contents[0]!.mimeType], [uri, 'application/json']);
      assert.ok(Buffer.byteLength(contents[0]!.text) <= MAX_BYTES);
      return JSON.parse(contents[0]!.text);
    };
    const whole = await read(SCHEMA);
    assert.deepEqual([whole.totalEventNames, whole.cards[0].id], [2, cardId]);
    assert.match(whole.note, NOT_AN_INSTRUCTION);
    const event = await read(resourceUri('ticket opened'));
    assert.deepEqual([event.eventName, event.count], ['ticket opened', 3]);
    assert.deepEqual(
      event.properties.map((one: { key: string }) => one.key),
      ['plan', 'minutes'],
    );
    assert.match(event.note, NOT_AN_INSTRUCTION);
    const property = await read(resourceUri('ticket opened', 'minutes'));
    assert.deepEqual([property.eventName, property.key, property.type], ['ticket opened', 'minutes', 'number']);
    const { values, totalValues } = await read(resourceUri('ticket opened', 'plan'));
    assert.deepEqual(values, [
      { value: 'pro', count: 2 },
      { value: 'free', count: 1 },
    ]);
    assert.equal(totalValues, 2);
  });

  test(`resources, ${era}: an unknown name gets the existing ones`, async (t) => {
    const { app, key } = await describedTenant([
      { eventName: 'ticket_opened', properties: { plan: 'pro', minutes: 5 } },
      { eventName: 'login' },
    ]);
    const client = await connect(t, app, key);
    const refused = (uri: string) => refusal(client.readResource({ uri }));
    assert.match(await refused(resourceUri('tickets_opened')), /"tickets_opened".*"ticket_opened"/);
    assert.match(await refused(resourceUri('zzzzzzzzz')), /"ticket_opened".*"login"|"login".*"ticket_opened"/);
    assert.match(await refused(resourceUri('tickets_opened', 'plan')), /"ticket_opened"/);
    assert.match(await refused(resourceUri('ticket_opened', 'plans')), /plan.*minutes/);
    for (const uri of ['%', '%zz', '%E0%A4', 'ticket_opened/%', '%c3%28', '%u0041'].map((end) => `${SCHEMA}/${end}`)) {
      assert.ok((await refused(uri)).includes(uri), uri);
    }
    for (const uri of [
      `${SCHEMA}/`,
      `${SCHEMA}//`,
      `${SCHEMA}/login/`,
      `${SCHEMA}/a/b/c`,
      `${SCHEMA}?x=1`,
      'events://other',
    ]) {
      await refused(uri);
    }
    for (const uri of ['file:///etc/passwd', 'http://127.0.0.1/', 'events:', 'nothing', '']) await refused(uri);
    assert.equal(JSON.parse((await client.readResource({ uri: resourceUri('login') })).contents[0]!.text).count, 1);
  });

  test(`resources, ${era}: completes event names, and property keys of that event`, async (t) => {
    const many = Array.from({ length: 130 }, (_, index) => ({ eventName: `many ${index}` }));
    const { app, key } = await describedTenant([
      ...many,
      { eventName: 'Ação: feita', properties: { plan: 'pro', planet: 'x', 'a b': 1, utm: { source: 'ads' } } },
      { eventName: 'login', properties: { method: 'key' } },
    ]);
    const client = await connect(t, app, key);
    const events = async (value: string) =>
      (await client.complete({ ref: EVENT, argument: { name: 'eventName', value } })).completion;
    assert.deepEqual((await events('AÇÃO')).values, ['Ação: feita']);
    assert.deepEqual((await events('nothing like it')).values, []);
    const all = await events('');
    assert.equal(all.values.length, 100);
    assert.deepEqual([all.total ?? 132, all.hasMore], [132, true]);
    assert.equal((await events('many')).values.length, 100);
    const keys = async (value: string, eventName?: string) => {
      const context = eventName === undefined ? {} : { context: { arguments: { eventName } } };
      return (await client.complete({ ref: PROPERTY, argument: { name: 'propertyKey', value }, ...context })).completion
        .values;
    };
    assert.deepEqual(await keys('', 'Ação: feita'), ['plan', 'planet', 'a b', 'utm.source']);
    assert.deepEqual(await keys('PLAN', 'Ação: feita'), ['plan', 'planet']);
    assert.deepEqual(await keys('', 'login'), ['method']);
    assert.deepEqual(await keys('', 'unheard of'), []);
    assert.deepEqual(await keys(''), []);
    const { values } = (await client.complete({ ref: PROPERTY, argument: { name: 'eventName', value: 'log' } }))
      .completion;
    assert.deepEqual(values, ['login']);
    await refusal(
      client.complete({ ref: { type: 'ref/resource', uri: 'x://y/{z}' }, argument: { name: 'z', value: '' } }),
    );
  });
}

rareTest('resources: events and properties of any name are read by their listed address', async (t) => {
  const { app, key } = await describedTenant(
    NAMES.map((eventName) => ({ eventName, properties: { [KEY]: 'v', [eventName]: 1 } })),
  );
  const [client, ...others] = await Promise.all(READERS.map(([, connect]) => connect(t, app, key)));
  const resources = await ofWorkspace(client!);
  assert.deepEqual(new Set(resources.slice(1).map(({ name }) => name)), new Set(NAMES));
  await Promise.all(
    resources.slice(1).map(async ({ uri, name }, at) => {
      assert.equal(uri, resourceUri(name));
      const reader = [client!, ...others][at % READERS.length]!;
      const event = JSON.parse((await reader.readResource({ uri })).contents[0]!.text);
      assert.equal(event.eventName, name);
      for (const property of [KEY, name]) {
        const { contents } = await reader.readResource({ uri: `${uri}/${encodeURIComponent(property)}` });
        const { eventName, key: found } = JSON.parse(contents[0]!.text);
        assert.deepEqual([eventName, found], [name, property]);
      }
    }),
  );
});

test('resources: the list is bounded, but every event can be read', async (t) => {
  const names = Array.from({ length: 120 }, (_, index) => `event ${index}`);
  const { app, key } = await describedTenant(names.map((eventName) => ({ eventName })));
  const client = await READERS[2]![1](t, app, key);
  assert.equal((await ofWorkspace(client)).length, 101);
  for (const name of [names[0]!, names[119]!]) {
    const { contents } = await client.readResource({ uri: resourceUri(name) });
    assert.equal(JSON.parse(contents[0]!.text).eventName, name);
  }
});

test('resources: a property lists its frequent values with counts and their total', async (t) => {
  const cities = Array.from({ length: 400 }, (_, index) => ({
    eventName: 'shop',
    properties: { city: `c${index % 150}`, n: 'x'.repeat(5_000) },
  }));
  const { app, key } = await describedTenant([
    ...cities,
    { eventName: 'shop', properties: { city: 'c149' } },
    { eventName: 'shop', properties: { city: null } },
  ]);
  const client = await READERS[0]![1](t, app, key);
  const read = async (property: string) =>
    (await client.readResource({ uri: resourceUri('shop', property) })).contents[0]!.text;
  const { values, totalValues } = JSON.parse(await read('city'));
  assert.equal(totalValues, 150);
  assert.ok(values.length >= 25 && values.length <= 150);
  // The first hundred cities came three times, the last fifty twice, and one of those once more.
  const counts = new Map(values.map(({ value, count }: { value: string; count: number }) => [value, count]));
  for (const [city, count] of counts)
    assert.equal(count, Number(String(city).slice(1)) < 100 || city === 'c149' ? 3 : 2);
  assert.ok(counts.has('c149'));
  const long = await read('n');
  assert.ok(Buffer.byteLength(long) <= MAX_BYTES && long.includes('xxx'));
});

test('resources: any property of an event with a thousand keys is found', async (t) => {
  const keys = Array.from({ length: 1_000 }, (_, index) => `property_number_${index}_of_very_many`);
  const { app, key } = await describedTenant([
    { eventName: 'wide', properties: Object.fromEntries(keys.map((one) => [one, 'v'])) },
  ]);
  const client = await READERS[1]![1](t, app, key);
  for (const one of [keys[0]!, keys[500]!, keys[999]!]) {
    const { contents } = await client.readResource({ uri: resourceUri('wide', one) });
    assert.deepEqual(JSON.parse(contents[0]!.text).values, [{ value: 'v', count: 1 }]);
  }
  assert.ok(
    Buffer.byteLength((await client.readResource({ uri: resourceUri('wide') })).contents[0]!.text) <= MAX_BYTES,
  );
});

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
