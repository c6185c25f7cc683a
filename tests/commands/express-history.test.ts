import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { TestContext } from 'node:test';
import { promisify } from 'node:util';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { openServer } from '../../src/app/server.ts';
import { listen, urlOf } from '../../src/commands/server/listen.ts';
import { loadConfig } from '../../src/config.ts';
import type { AggregateAnswer } from '../../src/core/analytics/events/questions/answer-schema.ts';
import { createLog } from '../../src/logging/log.ts';
import { closeServer } from '../../src/ownership/close-server.ts';
import { temporaryDirectory } from '../support/app.ts';
import { rareTest } from '../support/rare.ts';

/*
 * Real events, imported by the real command and asked about through a real MCP client; the answer is checked against plain
 * JavaScript over the file. EXPRESS_HISTORY names another file of the same shape, for example the whole history.
 */

const ROOT = resolve(import.meta.dirname, '../..');
const FILE = process.env.EXPRESS_HISTORY ?? join(ROOT, 'samples/express-history.ndjson');
const ZONE = 'America/Los_Angeles';

interface HistoryEvent {
  id: string;
  eventName: string;
  timestamp: string;
  properties: { author: string; insertions: number; largest?: { path: string } };
}

const history = readFileSync(FILE, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as HistoryEvent);
const commits = history.filter((event) => event.eventName === 'commit_pushed');

async function importAndServe(t: TestContext) {
  const dataDir = temporaryDirectory(t);
  const command = [join(ROOT, 'bin/agent-runtime.js'), 'import', FILE, '--data-dir', dataDir, '--json'];
  const run = () => promisify(execFile)(process.execPath, command);
  const first = JSON.parse((await run()).stdout);
  const second = JSON.parse((await run()).stdout);
  const config = loadConfig({ dataDir, port: 0, logLevel: 'silent' }, {}, {});
  const opened = await openServer(config, createLog('silent'));
  const server = await listen(opened.listener, config);
  t.after(async () => {
    await closeServer(server, 100);
    await opened.close();
  });
  const { tenants, keys } = opened.runtime;
  const tenant = await tenants.get('default');
  const { key } = await keys.create(tenant.id, { label: 'test', scopes: ['mcp:read'] }, null);
  const client = new Client({ name: 'test', version: '1.0.0' });
  const requestInit = { headers: { 'x-api-key': key } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${urlOf(server, config)}/mcp`), { requestInit }));
  t.after(() => client.close());
  const ask = async (question: object): Promise<AggregateAnswer> => {
    const result = await client.callTool({ name: 'aggregate_events', arguments: { ...question } });
    assert.ok(!result.isError, JSON.stringify(result.content));
    return result.structuredContent as unknown as AggregateAnswer;
  };
  return { first, second, ask };
}

const localYear = new Intl.DateTimeFormat('en-US', { timeZone: ZONE, year: 'numeric' });

function tally<Item>(
  items: Item[],
  keyOf: (item: Item) => string,
  amountOf: (item: Item) => number,
): Map<string, number> {
  const totals = new Map<string, number>();
  for (const item of items) totals.set(keyOf(item), (totals.get(keyOf(item)) ?? 0) + amountOf(item));
  return totals;
}

rareTest('import: the sample is taken once, and counts as plain JavaScript counts it', async (t) => {
  const { first, second, ask } = await importAndServe(t);
  assert.partialDeepStrictEqual(first, { accepted: history.length, duplicates: 0, rejected: 0, problems: [] });
  assert.partialDeepStrictEqual(second, { accepted: 0, duplicates: history.length, rejected: 0, problems: [] });

  await t.test('commits per year in Los Angeles', async () => {
    const { series, value } = await ask({
      eventName: 'commit_pushed',
      aggregation: 'count',
      dateGrouping: 'year',
      timezone: ZONE,
    });
    const expected = tally(
      commits,
      (event) => localYear.format(Date.parse(event.timestamp)),
      () => 1,
    );
    assert.equal(value, commits.length);
    assert.deepEqual(
      new Map(series?.filter((point) => point.value).map((point) => [point.bucket.slice(0, 4), point.value])),
      new Map([...expected].sort()),
    );
  });
});
