import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { startCluster } from '../../process/nodes/support.ts';
import { ingested, search } from '../../support/knowledge.ts';
import type { Started } from '../../support/process.ts';
import { count, EVENT } from './smoke.ts';

/** The clients of PostgreSQL, ClickHouse and S3, by whichever way the program is started. */
export async function smokeOfNodes(t: TestContext, program: Started): Promise<void> {
  const cluster = await startCluster(t, { count: 2, program });
  const key = await cluster.newKey();
  const [one, other] = cluster.nodes.map(({ server }) => server);
  const receipt = await one!.ingest(
    key,
    Array.from({ length: 500 }, () => ({ eventName: EVENT })),
  );
  assert.equal(await count(other!, key, receipt), 500);
  await ingested({ url: one!.url, key }, { name: 'refunds.md', content: '# Refunds\n\nThey take fourteen days.\n' });
  const { results } = await search({ url: other!.url, key }, 'manuals', 'refunds');
  assert.match(results[0].text, /fourteen days/);
  for (const { server } of cluster.nodes) assert.equal((await server.end('SIGTERM')).code, 0);
}
