import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Comparison } from '../../src/transfer/installation.ts';
import { EXECUTIONS } from '../support/chat.ts';
import { accepted, ended } from '../support/knowledge.ts';
import { hasNodes, newPlace, openTestPostgres, serverSettings } from '../support/postgres-state.ts';
import {
  createKey,
  type Ending,
  eventually,
  newDataDirectory,
  type Server,
  startProgram,
  startServer,
} from '../support/process.ts';
import { rareTest } from '../support/rare.ts';

const DAY_MS = 86_400_000;
const EVENTS = 100_000;
const BATCH = 1_000;
/** At once. */
const REQUESTS = 8;

interface Source {
  server: Server;
  key: string;
}

async function repeated(times: number, work: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < times) await work(next++);
  };
  await Promise.all(Array.from({ length: REQUESTS }, worker));
}

/** Over a year, of which the first half has one time in each batch. */
async function addEvents({ server, key }: Source, batches: number, name: string): Promise<void> {
  const from = Date.now() - 400 * DAY_MS;
  await repeated(batches, (batch) =>
    server.ingest(
      key,
      Array.from({ length: BATCH }, (_, index) => ({
        ...(index % 2 === 0 ? { id: `${name} ${batch} ${index}` } : {}),
        eventName: `${name} ${index % 20}`,
        agentId: `agent ${index % 3}`,
        threadId: index % 5 === 0 ? undefined : `thread ${index}`,
        timestamp: new Date(
          from + ((batch * BATCH) % (365 * 24)) * 3_600_000 + (batch % 2) * index * 1_000,
        ).toISOString(),
        properties: { batch, index, city: 'São Paulo', total: index / 7, nested: { text: 'x'.repeat(index % 100) } },
      })),
    ),
  );
}

async function addExecutions({ server, key }: Source, count: number, name: string): Promise<void> {
  await repeated(count, async (index) => {
    const id = `${name} ${index}`;
    const messages = [{ role: 'user', content: `Question ${id}: ${'word '.repeat(index % 200)}` }];
    await right(server.request(key, 'POST', EXECUTIONS, { id, messages, output: 'The answer.' }));
    const review = { rating: index % 3 === 0 ? 'bad' : 'good', comment: `Comentário ${id}`, tags: [name] };
    await right(server.request(key, 'POST', `${EXECUTIONS}/${encodeURIComponent(id)}/reviews`, review));
  });
}

async function right(answer: ReturnType<Server['request']>): Promise<void> {
  const { status, body } = await answer;
  if (status >= 300) throw new Error(`answered ${status}: ${JSON.stringify(body)}`);
}

async function addDocuments({ server, key }: Source, count: number, name: string): Promise<void> {
  const desk = { url: server.url, key };
  await repeated(count, async (index) => {
    const content = Array.from({ length: 200 }, (_, line) => `${name} ${index}: line ${line} of the manual.`).join(
      '\n\n',
    );
    const jobId = await accepted(desk, { name: `${name}-${index}.md`, content }, { vectorStore: `store-${index % 3}` });
    const { status } = await ended(desk, jobId, 120_000);
    assert.equal(status, 'completed');
  });
}

const options = { skip: !hasNodes, timeout: 900_000 };

rareTest('import: 100,000 events arrive, though it is killed on its way', options, async (t) => {
  const dataDir = newDataDirectory(t);
  const settings = await serverSettings(newPlace());
  const importing = { environment: environmentOf(settings) };
  const server = await startServer(t, dataDir, {
    environment: { AGENT_RUNTIME_SECRET_KEY: String(settings.secretKey), AGENT_RUNTIME_RATE_LIMIT: '0' },
  });
  const { key } = await createKey(dataDir);
  const source = { server, key };
  await addEvents(source, EVENTS / BATCH, 'first');
  await addExecutions(source, 2_000, 'run');
  await addDocuments(source, 50, 'manual');

  const killed = startProgram(t, ['import', dataDir, '--json'], importing);
  await hasEvents(t, String(settings.databaseUrl), EVENTS * 0.4);
  await killed.end('SIGKILL');
  const second = await timed(t, 'after the kill', startProgram(t, ['import', dataDir, '--json'], importing).ended);
  assert.ok(second.find(({ what }) => what === 'events of default')!.rows >= EVENTS);

  await addEvents(source, 5, 'later');
  await addExecutions(source, 100, 'later');
  await addDocuments(source, 2, 'later');
  await server.end('SIGTERM');
  const last = await timed(t, 'the last run', startProgram(t, ['import', dataDir, '--json'], importing).ended);
  assert.ok(last[0]!.rows > second[0]!.rows);
});

async function hasEvents(t: TestContext, url: string, count: number): Promise<void> {
  const { pool, close } = await openTestPostgres(url, 2);
  try {
    const enough = async () => {
      const { rows } = await pool.query<{ count: number }>('SELECT count(*) AS count FROM event_ids');
      return rows[0]!.count >= count;
    };
    const { ms } = await eventually(`${count} events are copied`, enough, 300_000);
    t.diagnostic(`${count} events within ${Math.round(ms)} ms`);
  } finally {
    await close();
  }
}

/** What a run printed, which must say that all is equal. */
async function timed(t: TestContext, what: string, run: Promise<Ending>): Promise<Comparison[]> {
  const started = performance.now();
  const { code, stdout, stderr } = await run;
  assert.equal(code, 0, `${stdout}\n${stderr}`);
  const { isEqual, compared } = JSON.parse(stdout);
  assert.equal(isEqual, true, stdout);
  t.diagnostic(`${what}: ${Math.round(performance.now() - started)} ms, ${JSON.stringify(compared)}`);
  return compared;
}

function environmentOf(settings: Awaited<ReturnType<typeof serverSettings>>): Record<string, string> {
  return {
    AGENT_RUNTIME_DATABASE_URL: String(settings.databaseUrl),
    AGENT_RUNTIME_CLICKHOUSE_URL: String(settings.clickhouseUrl),
    AGENT_RUNTIME_UPLOADS_URL: String(settings.uploadsUrl),
    AGENT_RUNTIME_SECRET_KEY: String(settings.secretKey),
  };
}
