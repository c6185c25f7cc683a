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
 * Real events, imported by the real command and asked about through a real MCP client; every answer is checked against
 * plain JavaScript over the file. EXPRESS_HISTORY names another file of the same shape, for example the whole history.
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
const localMonth = new Intl.DateTimeFormat('en-US', { timeZone: ZONE, month: 'numeric' });

function tally<Item>(
  items: Item[],
  keyOf: (item: Item) => string,
  amountOf: (item: Item) => number,
): Map<string, number> {
  const totals = new Map<string, number>();
  for (const item of items) totals.set(keyOf(item), (totals.get(keyOf(item)) ?? 0) + amountOf(item));
  return totals;
}

rareTest('import: the history of a real repository answers as plain JavaScript does', async (t) => {
  const { first, second, ask } = await importAndServe(t);
  assert.deepEqual(first, { accepted: history.length, duplicates: 0, rejected: 0, problems: [] });
  assert.deepEqual(second, { accepted: 0, duplicates: history.length, rejected: 0, problems: [] });

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

  await t.test('the five authors with most inserted lines, and the other', async () => {
    const { groups, value, truncated } = await ask({
      eventName: 'commit_pushed',
      aggregation: 'sum',
      propertyKey: 'insertions',
      group_by: 'author',
      limit: 5,
    });
    const byAuthor = tally(
      commits,
      (event) => event.properties.author,
      (event) => event.properties.insertions,
    );
    const ranked = [...byAuthor].sort((one, other) => other[1] - one[1] || (one[0] < other[0] ? -1 : 1));
    const rest = ranked.slice(5).reduce((sum, [, lines]) => sum + lines, 0);
    assert.deepEqual(
      groups?.map(({ group, value: lines }) => [group, lines]),
      [...ranked.slice(0, 5), ['other', rest]],
    );
    assert.equal(
      value,
      ranked.reduce((sum, [, lines]) => sum + lines, 0),
    );
    assert.match(truncated ?? '', new RegExp(`top 5 of ${ranked.length} groups`));
  });

  await t.test('distinct authors per quarter', async () => {
    const { series } = await ask({
      eventName: 'commit_pushed',
      aggregation: 'distinct_count',
      propertyKey: 'author',
      dateGrouping: 'quarter',
      timezone: ZONE,
    });
    const quarterOf = ({ timestamp }: HistoryEvent) => {
      const at = Date.parse(timestamp);
      const firstMonth = Math.floor((Number(localMonth.format(at)) - 1) / 3) * 3 + 1;
      return `${localYear.format(at)}-${String(firstMonth).padStart(2, '0')}`;
    };
    const authors = new Map<string, Set<string>>();
    for (const event of commits) {
      const quarter = quarterOf(event);
      authors.set(quarter, (authors.get(quarter) ?? new Set()).add(event.properties.author));
    }
    assert.deepEqual(
      new Map(series?.filter((point) => point.value).map((point) => [point.bucket.slice(0, 7), point.value])),
      new Map([...authors].map(([quarter, names]) => [quarter, names.size])),
    );
  });

  await t.test('merges for every commit', async () => {
    const merges = history.filter((event) => event.eventName === 'branch_merged').length;
    const answer = await ask({
      eventName: 'commit_pushed',
      aggregation: 'rate',
      numerator: { eventName: 'branch_merged' },
    });
    assert.deepEqual([answer.numerator, answer.denominator], [merges, commits.length]);
    assert.ok(Math.abs((answer.value ?? 0) - merges / commits.length) < 1e-12);
  });

  await t.test('a share by a nested property', async () => {
    const tests = commits.filter((event) => event.properties.largest?.path.startsWith('test/')).length;
    const filters = [{ propertyKey: 'largest.path', operator: 'startsWith', value: 'test/' }];
    const answer = await ask({ eventName: 'commit_pushed', aggregation: 'rate', numerator: { filters } });
    assert.deepEqual([answer.numerator, answer.denominator], [tests, commits.length]);
  });

  await t.test('a year against the year before it', async () => {
    const answer = await ask({
      eventName: 'commit_pushed',
      aggregation: 'count',
      dateFrom: '2014-01-01',
      dateTo: '2014-12-31',
      timezone: ZONE,
      compareTo: 'previous_period',
    });
    const from = Date.parse('2014-01-01T08:00:00Z');
    const to = Date.parse('2015-01-01T08:00:00Z');
    const within = (start: number, end: number) =>
      commits.filter(({ timestamp }) => Date.parse(timestamp) >= start && Date.parse(timestamp) < end).length;
    const now = within(from, to);
    const before = within(from - (to - from), from);
    assert.equal(answer.value, now);
    assert.deepEqual(answer.previous, {
      value: before,
      change: now - before,
      changeRatio: (now - before) / before,
      from: new Date(from - (to - from)).toISOString(),
      to: new Date(from).toISOString(),
    });
    assert.deepEqual([answer.basis.from, answer.basis.to], ['2014-01-01T08:00:00.000Z', '2015-01-01T08:00:00.000Z']);
  });
});
