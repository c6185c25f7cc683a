import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RuntimeError } from '../../../src/core/base/shared/errors.ts';
import { listTools, rpc } from '../mcp-requests.ts';
import { READERS, refusal } from '../readers.ts';
import { sharedApp, v1Client } from '../support.ts';
import { COUNT_CARD, describedTenant } from '../workspace-support.ts';

const DAY = 86_400_000;
const SALE = { eventName: 'sale', timestamp: new Date(Date.now() - 2 * DAY).toISOString() };
/** Its range ends yesterday, so its answers are the same all day. */
const CARD = {
  title: 'Sales',
  cardType: 'number',
  config: { eventName: 'sale', aggregation: 'count', dateFrom: '-7d', dateTo: 'yesterday' },
};
const VIEW = 'ui://agent-runtime/card.html';
const UI = 'io.modelcontextprotocol/ui';

interface Content {
  type: string;
  text?: string;
  data?: string;
  mimeType?: string;
}

/** Width and height of a PNG. */
function sizeOf(base64: string): number[] {
  const bytes = Buffer.from(base64, 'base64');
  assert.equal(bytes.subarray(1, 4).toString(), 'PNG');
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
}

async function cardOf(...events: object[]) {
  const tenant = await describedTenant(events);
  const cardId = await tenant.makeCard(CARD);
  const call = async (args: object) => {
    const { result } = await rpc(
      tenant.app,
      'tools/call',
      { name: 'render_dashboard_card', arguments: args },
      tenant.key,
    );
    return result as { content: Content[]; structuredContent: unknown; isError?: boolean };
  };
  return { ...tenant, cardId, render: call };
}

test('render_dashboard_card: a picture comes after the text, and changes nothing else', async () => {
  const { cardId, render } = await cardOf(SALE);
  const plain = await render({ cardId });
  const pictured = await render({ cardId, picture: true });
  assert.deepEqual(
    plain.content.map(({ type }) => type),
    ['text'],
  );
  const [text, image] = pictured.content;
  assert.deepEqual([text, pictured.structuredContent], [plain.content[0], plain.structuredContent]);
  assert.deepEqual([pictured.content.length, image!.type, image!.mimeType], [2, 'image', 'image/png']);
  assert.deepEqual(sizeOf(image!.data!), [640, 360]);
  assert.deepEqual((await render({ cardId, picture: false })).content, plain.content);
  const refused = await render({ cardId, picture: 'yes' });
  assert.equal(refused.isError, true);
  assert.match(refused.content[0]!.text!, /- picture: must be true or false/);
});

test('render_dashboard_card: if drawing fails, it answers without it and says why', async (t) => {
  const { app, cardId, render } = await cardOf(SALE);
  const plain = await render({ cardId });
  const missing = async (error: Error) => {
    const failing = t.mock.method(app.runtime.pictures, 'png', async () => Promise.reject(error));
    const answer = await render({ cardId, picture: true });
    failing.mock.restore();
    assert.equal(answer.isError ?? false, false);
    assert.deepEqual([answer.content[0], answer.structuredContent], [plain.content[0], plain.structuredContent]);
    assert.equal(answer.content.length, 2);
    return answer.content[1]!.text!;
  };
  const full = new RuntimeError('unavailable', 'Too many pictures are being drawn.', { retryAfter: 2 });
  assert.equal(
    await missing(full),
    'The picture could not be drawn. Too many pictures are being drawn. Wait 2 s, then call again.',
  );
  const said = await missing(new Error('cannot open /secret/Inter.ttf'));
  assert.match(said, /^The picture could not be drawn\. Internal error/);
  assert.doesNotMatch(said, /secret/);
});

for (const [era, connect] of READERS) {
  test(`card://, ${era}: a card is read as a picture by its id or title`, async (t) => {
    const { app, key, cardId } = await cardOf(SALE);
    const client = await connect(t, app, key);
    const { resources } = await client.listResources();
    const listed = resources.filter(({ uri }) => uri.startsWith('card://'));
    assert.deepEqual(
      listed.map(({ uri, name, mimeType }) => ({ uri, name, mimeType })),
      [{ uri: `card://${cardId}.png`, name: 'Sales', mimeType: 'image/png' }],
    );
    for (const uri of [listed[0]!.uri, 'card://sales.png']) {
      const [content] = (await client.readResource({ uri })).contents as unknown as (Content & { blob: string })[];
      assert.equal(content!.mimeType, 'image/png');
      assert.deepEqual(sizeOf(content!.blob), [640, 360]);
    }
    assert.match(await refusal(client.readResource({ uri: 'card://nothing.png' })), /"Sales"/);
    for (const uri of [`card://${cardId}`, `card://${cardId}.svg`, 'card://.png', 'card://%.png', 'card://a/b.png']) {
      await refusal(client.readResource({ uri }));
    }
  });

  test(`MCP App, ${era}: hosts find the view by the tool, not in the list`, async (t) => {
    const { app, key } = await cardOf();
    const client = await connect(t, app, key);
    assert.ok((await client.listResources()).resources.every(({ uri }) => uri !== VIEW));
    const { contents } = await client.readResource({ uri: VIEW });
    assert.equal(contents.length, 1);
    const [{ text, ...content }] = contents as [{ uri: string; text: string }];
    assert.deepEqual(content, {
      uri: VIEW,
      mimeType: 'text/html;profile=mcp-app',
      _meta: { ui: { csp: {}, prefersBorder: true } },
    });
    assert.match(text, /^<!doctype html>/);
    await refusal(client.readResource({ uri: 'ui://agent-runtime/other.html' }));
  });
}

test('card://: a key reads pictures only with mcp:read, and only of its tenant', async (t) => {
  const theirs = await cardOf({ eventName: 'secret_launch' });
  const mine = await cardOf(SALE);
  for (const [, connect] of READERS) {
    const client = await connect(t, mine.app, mine.key);
    assert.doesNotMatch(JSON.stringify(await client.listResources()), new RegExp(theirs.cardId));
    await assert.rejects(client.readResource({ uri: `card://${theirs.cardId}.png` }), { code: -32602 });
    const other = await connect(
      t,
      mine.app,
      await mine.app.newKey({ tenant: mine.tenant, scopes: ['dashboards:read'] }),
    );
    assert.deepEqual((await other.listResources()).resources, []);
    for (const uri of [`card://${mine.cardId}.png`, VIEW]) {
      await assert.rejects(other.readResource({ uri }), /403|mcp:read/);
    }
  }
});

test('cards over MCP: ids ignore case; an ambiguous title is refused with the ids', async (t) => {
  const { app, key, cardId, makeCard, render } = await cardOf(SALE);
  const other = await makeCard({ ...CARD, title: 'SALES', idempotencyKey: 'another' });
  const client = await READERS[0]![1](t, app, key);
  const named = cardId.toUpperCase();
  assert.equal((await client.readResource({ uri: `card://${named}.png` })).contents[0]!.mimeType, 'image/png');
  assert.equal((await render({ cardId: named })).isError ?? false, false);
  const refused = await render({ cardId: 'Sales' });
  assert.equal(refused.isError, true);
  for (const text of [refused.content[0]!.text!, await refusal(client.readResource({ uri: 'card://sales.png' }))]) {
    assert.match(text, /Several cards have this title/);
    assert.ok(text.includes(cardId) && text.includes(other), text);
  }
});

test('card://: a full queue is an error, and the list is bounded', async (t) => {
  const { app, key, cardId, makeCard } = await cardOf(SALE);
  const client = await READERS[1]![1](t, app, key);
  const full = new RuntimeError('unavailable', 'Too many pictures are being drawn.', { retryAfter: 2 });
  const failing = t.mock.method(app.runtime.pictures, 'png', async () => Promise.reject(full));
  await assert.rejects(client.readResource({ uri: `card://${cardId}.png` }), /Too many pictures/);
  failing.mock.restore();
  for (let index = 0; index < 104; index++) {
    await makeCard({ title: `Card ${index}`, ...COUNT_CARD, idempotencyKey: `card ${index}` });
  }
  const { resources } = await client.listResources();
  assert.equal(resources.filter(({ uri }) => uri.startsWith('card://')).length, 100);
});

test('MCP Apps: are announced, and tools with a view name it in both forms', async () => {
  const app = await sharedApp();
  const capabilities = (extensions: object) => ({
    protocolVersion: '2025-11-25',
    capabilities: { extensions },
    clientInfo: { name: 'test', version: '1.0.0' },
  });
  const { result } = await rpc(app, 'initialize', capabilities({ [UI]: { mimeTypes: ['text/html;profile=mcp-app'] } }));
  assert.deepEqual(result.capabilities.extensions[UI], {});
  assert.deepEqual((await rpc(app, 'initialize', capabilities({}))).result, result);
  const tools = await listTools(app);
  assert.deepEqual(
    tools.filter(({ _meta }) => 'ui' in (_meta ?? {})).map(({ name, _meta }) => [name, _meta]),
    ['render_dashboard_card', 'save_card'].map((name) => [name, { ui: { resourceUri: VIEW }, 'ui/resourceUri': VIEW }]),
  );
});

test('MCP Apps: a client of the v1 SDK sees the same tools and answers', async (t) => {
  const { app, key, cardId } = await cardOf(SALE);
  const client = await v1Client(t, { kind: 'http', url: `${app.url}/mcp`, key });
  assert.ok((await client.tools()).some(({ name }) => name === 'render_dashboard_card'));
  const { isError, data } = await client.call('render_dashboard_card', { cardId, picture: true });
  assert.deepEqual([isError, data.data.value], [false, 1]);
});
