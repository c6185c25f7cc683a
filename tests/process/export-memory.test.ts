import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { execution } from '../contracts/execution-store.ts';
import { review } from '../contracts/reviews.ts';
import { EXPORT } from '../http/routes/reviews/support.ts';
import { createKey, newDataDirectory, startServer } from '../support/process.ts';
import { rareTest } from '../support/rare.ts';
import { writeMuch } from '../support/reviews.ts';

const REVIEWS = 1_000;
const KILOBYTES = 125;
/** What a server needs for itself and some pages: less than what is exported. */
const HEAP_MEGABYTES = 96;

const fill = (dataDir: string, tenantId: string) =>
  writeMuch(dataDir, async ({ executions, reviews }) => {
    for (let index = 0; index < REVIEWS; index++) {
      const content = `${index} `.repeat(KILOBYTES * 1024).slice(0, KILOBYTES * 1024);
      const messages = JSON.stringify([{ role: 'user', content }]);
      const id = `run ${index}`;
      await executions.put(tenantId, execution({ id, messages, output: '"ok"', shape: '1utoo' }), null);
      await reviews.create(tenantId, review({ executionId: id, rating: 'good' }));
    }
  });

rareTest('Export: larger than server memory, it is sent whole, also to a slow client', async (t) => {
  const dataDir = newDataDirectory(t);
  const { key, tenantId } = await createKey(dataDir);
  await fill(dataDir, tenantId);
  const environment = { NODE_OPTIONS: `--max-old-space-size=${HEAP_MEGABYTES} --max-semi-space-size=4` };
  const server = await startServer(t, dataDir, { environment });
  for (const format of ['openai-conversational', 'kto-jsonl']) {
    const request = get(`${server.url}${EXPORT}?format=${format}`, { headers: { 'x-api-key': key }, agent: false });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    let bytes = 0;
    for await (const chunk of response) {
      // Now and then its reader has something else to do.
      if (Math.floor(bytes / 2 ** 24) < Math.floor((bytes + chunk.length) / 2 ** 24)) await sleep(20);
      bytes += chunk.length;
    }
    assert.ok(response.complete, format);
    assert.ok(bytes > REVIEWS * KILOBYTES * 1024, format);
    assert.equal(response.headers['x-skipped'], '0');
  }
  const { stderr } = await server.end('SIGTERM');
  assert.doesNotMatch(stderr, /"level":"error"/);
});
