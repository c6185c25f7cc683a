import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startServer } from '../../../outbound/support.ts';
import { EVENTS } from '../../../support/app.ts';
import { type ChatApp, chat, chatApp } from '../../../support/chat.ts';
import { collected } from '../../../support/memory.ts';
import { rareTest } from '../../../support/rare.ts';

/* Memory of chats: the request until the answer begins, and the record up to a limit. */

const MEGABYTE = 1024 * 1024;
const IMAGE = Buffer.alloc(3.75 * MEGABYTE, 'agent');
/** As text, a third more. */
const DATA_URL = `data:image/png;base64,${IMAGE.toString('base64')}`;
/** More than the memory budget of one tenant, which is 64 MB. */
const CHATS = 24;

const WAYS = [
  { how: 'within it', dataUrl: DATA_URL, most: 12 },
  { how: 'by address', dataUrl: null, most: 17 },
];

for (const { how, dataUrl, most } of WAYS) {
  rareTest(
    `POST /chat: a running answer keeps no request with an image ${how} in memory`,
    {
      timeout: 30_000,
    },
    async (t) => {
      const { app, upstream, asking } = await imageApp(t, dataUrl);
      const before = await settled();
      const chats: ReturnType<typeof chat>[] = [];
      for (let index = 0; index < CHATS; index++) {
        const accept = index % 2 === 0 ? 'text/plain' : 'text/event-stream';
        chats.push((await begun(app, asking, accept)).received);
      }
      assert.equal(upstream.answers.length, CHATS);
      const held = (await settled()) - before;
      t.diagnostic(`${CHATS} chats: ${(held / MEGABYTE).toFixed(1)} MB are held`);
      assert.ok(held < CHATS * MEGABYTE);
      assert.equal((await ingested(app)).status, 202);
      for (const answer of upstream.answers) answer.end(END);
      for (const { status, complete } of await Promise.all(chats)) assert.deepEqual([status, complete], [200, true]);
    },
  );

  rareTest(
    `POST /chat: a chat before its answer keeps a request with an image ${how}`,
    {
      timeout: 30_000,
    },
    async (t) => {
      const { app, upstream, asking } = await imageApp(t, dataUrl);
      upstream.isSilent = true;
      const chats = Array.from({ length: most }, () => chat(app, asking()));
      await upstream.asked(most);
      const refused = await Promise.all([chat(app, asking()), chat(app, asking())]);
      for (const { status, headers } of refused) assert.deepEqual([status, headers['retry-after']], [503, '1']);
      upstream.isSilent = false;
      for (const answer of upstream.answers) answer.end(BEGINNING + END);
      for (const { status } of await Promise.all(chats)) assert.equal(status, 200);
      await begun(app, asking, 'text/plain');
    },
  );
}

const BEGINNING = 'data: {"choices":[{"delta":{"content":"Once "}}]}\n\n';
const END = 'data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';

/** A server whose upstream stores no request and ends its answers when the test says so. */
async function imageApp(t: TestContext, dataUrl: string | null) {
  const upstream = {
    isSilent: false,
    answers: [] as ServerResponse[],
    asked: async (times: number) => {
      while (upstream.answers.length < times) await once(server.server, 'asked');
    },
  };
  const server = await startServer(t, async (request, response) => {
    await once(request.resume(), 'end');
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    if (!upstream.isSilent) response.write(BEGINNING);
    upstream.answers.push(response);
    server.server.emit('asked');
  });
  const images = await startServer(t, (_request, response) => {
    response.setHeader('content-type', 'image/png').end(IMAGE);
  });
  const app = await chatApp(t, { rateLimit: 0 }, { baseUrl: server.url, allowPrivateImages: true });
  const content = [{ type: 'image_url', image_url: { url: dataUrl ?? images.url } }];
  const body = JSON.stringify(app.ask({ messages: [{ role: 'user', content }] }));
  return { app, upstream, asking: () => body };
}

/** Bytes in use after garbage collection, which takes several rounds after streams end. */
async function settled(): Promise<number> {
  for (let round = 0; round < 3; round++) {
    collected();
    await sleep(50);
  }
  return collected();
}

/** A chat whose first part has arrived. */
async function begun(app: ChatApp, asking: () => string, accept: string) {
  const first = Promise.withResolvers<void>();
  const received = chat(app, asking(), { accept, onData: () => first.resolve() });
  await Promise.race([first.promise, received]);
  return { received };
}

function ingested({ request }: ChatApp) {
  return request('POST', EVENTS, { events: [{ eventName: 'order.placed', properties: { note: 'x'.repeat(8_000) } }] });
}

rareTest(
  'POST /chat: an answer longer than its record goes on, marked as truncated',
  {
    timeout: 30_000,
  },
  async (t) => {
    const app = await chatApp(t);
    const whole = await app.executionOf(await chat(app, app.ask()));
    assert.equal(whole.chat.truncated, false);
    app.upstream.script({ fault: { type: 'endless' } });
    let taken = 0;
    const received = await chat(app, app.ask(), {
      onData: (text, leave) => {
        taken += text.length;
        if (taken > 6 * MEGABYTE) leave();
      },
    });
    await app.upstream.whenAborted();
    const { output, chat: facts } = await app.executionOf(received);
    assert.deepEqual([output.length, facts.truncated], [4 * MEGABYTE, true]);
    assert.ok(received.text.startsWith(output));
  },
);
