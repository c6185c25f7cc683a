import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { EVENTS } from '../../support/app.ts';
import { createKey, eventually, newDataDirectory, type Server, startServer } from '../../support/process.ts';

const CONNECTIONS = 8;
const MAX_BATCH = 40;
const PAUSE_MS = 6;
const EVENT_NAME = 'load';
/** Callers here are faster than any one key may be. */
export const ENVIRONMENT = { AGENT_RUNTIME_RATE_LIMIT: '0' };

/** A batch that a client sent at least once. Its marker is in each of its events. */
interface Sent {
  marker: string;
  size: number;
  /** Batches with caller ids are sent until acknowledged; others once. */
  withIds: boolean;
  acknowledged: boolean;
  attempts: number;
}

/** Clients that ingest all the time, whatever becomes of the server. */
export class Load {
  readonly sent: Sent[] = [];
  readonly unexpected: string[] = [];
  private readonly key: string;
  private readonly clients: Promise<void>[];
  private server: Server | null = null;
  private stopped = false;

  constructor(key: string) {
    this.key = key;
    this.clients = Array.from({ length: CONNECTIONS }, (_, index) => this.run(index));
  }

  /** Where the server is now; null while there is none. */
  aim(server: Server | null): void {
    this.server = server;
  }

  /** Clients finish what they must retry, then end. */
  async stop(): Promise<void> {
    this.stopped = true;
    await Promise.all(this.clients);
  }

  get acknowledged(): Sent[] {
    return this.sent.filter((batch) => batch.acknowledged);
  }

  private async run(client: number): Promise<void> {
    for (let sequence = 0; !this.stopped; sequence++) {
      const withIds = (client + sequence) % 2 === 0;
      const batch: Sent = {
        marker: `${client}-${sequence}`,
        size: 1 + Math.floor(Math.random() * MAX_BATCH),
        withIds,
        acknowledged: false,
        attempts: 0,
      };
      const server = await this.aServer();
      if (!server) return;
      this.sent.push(batch);
      await this.send(server, batch);
      while (withIds && !batch.acknowledged) {
        await sleep(20);
        const next = await this.aServer();
        if (!next) return;
        await this.send(next, batch);
      }
      // Now and then an acknowledged batch is sent again, as a client that lost its own memory would.
      if (withIds && sequence % 16 === 0) await this.send(server, batch);
      await sleep(PAUSE_MS);
    }
  }

  /** The present server, or the next one; null when clients stop and none comes. */
  private async aServer(): Promise<Server | null> {
    while (!this.server) {
      if (this.stopped) return null;
      await sleep(10);
    }
    return this.server;
  }

  private async send(server: Server, batch: Sent): Promise<void> {
    const { marker, size, withIds } = batch;
    const events = Array.from({ length: size }, (_, index) => ({
      eventName: EVENT_NAME,
      properties: { marker, unique: `${marker}-${index}` },
      ...(withIds ? { id: `${marker}-${index}` } : {}),
    }));
    batch.attempts += 1;
    const known = batch.acknowledged;
    // The connection may break at any point: only a status that arrived counts.
    const response = await fetch(`${server.url}${EVENTS}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': this.key },
      body: JSON.stringify({ events }),
    }).catch(() => null);
    if (!response) return;
    if (response.status === 202) batch.acknowledged = true;
    const text = await response.text().catch(() => null);
    if (response.status === 503) return;
    if (response.status !== 202) {
      this.unexpected.push(`${response.status} ${text}`);
      return;
    }
    if (text === null) return;
    const { accepted, duplicates } = JSON.parse(text) as { accepted: number; duplicates: number };
    const whole = accepted + duplicates === size && (accepted === 0 || duplicates === 0);
    if (!whole || (known && duplicates !== size) || (batch.attempts === 1 && accepted !== size)) {
      this.unexpected.push(`${marker}, attempt ${batch.attempts}: ${text}`);
    }
  }
}

/** Kills the server again and again under load, at random within `longestMs`, then counts what is stored. */
export async function survivesKills(
  t: TestContext,
  kills: number,
  longestMs: number,
  { dataDir = newDataDirectory(t), afterKill = (): Promise<void> => Promise.resolve() } = {},
): Promise<void> {
  const { key } = await createKey(dataDir);
  const load = new Load(key);
  let server = await startServer(t, dataDir, { environment: ENVIRONMENT });
  for (let kill = 0; kill < kills; kill++) {
    const batches = load.acknowledged.length;
    load.aim(server);
    await sleep(Math.random() * longestMs);
    // However busy the machine is, there must be something that can be lost.
    await eventually('a batch is acknowledged', async () => load.acknowledged.length > batches, 10_000);
    load.aim(null);
    const { stderr } = await server.end('SIGKILL');
    assert.equal(complaints(stderr), '');
    await afterKill();
    server = await startServer(t, dataDir, { environment: ENVIRONMENT });
  }
  load.aim(server);
  await load.stop();
  await check(load, server, key);
  await server.end('SIGTERM');
}

export interface Drained {
  code: number | null;
  stderr: string;
  drainMs: number;
}

export async function drainsUnderLoad(t: TestContext): Promise<Drained> {
  const dataDir = newDataDirectory(t);
  const { key } = await createKey(dataDir);
  const load = new Load(key);
  const server = await startServer(t, dataDir, { environment: ENVIRONMENT });
  load.aim(server);
  await sleep(1_000);
  const started = performance.now();
  const { code, stderr } = await server.end('SIGTERM');
  const drainMs = performance.now() - started;
  load.aim(null);
  const next = await startServer(t, dataDir, { environment: ENVIRONMENT });
  load.aim(next);
  await load.stop();
  await check(load, next, key);
  return { code, stderr, drainMs };
}

/** Every acknowledged batch is there once and whole, every other one at most once and whole or not at all. */
async function check(load: Load, server: Server, key: string): Promise<void> {
  assert.deepEqual(load.unexpected, []);
  const receipt = await server.ingest(key, [{ eventName: 'load_ended' }]);
  const stored = await storedBatches(server, key, receipt);
  const wrong: string[] = [];
  for (const { marker, size, acknowledged, attempts, withIds } of load.sent) {
    const { events = 0, unique = 0 } = stored.get(marker) ?? {};
    stored.delete(marker);
    const whole = events === size && unique === size;
    if (whole || (!acknowledged && events === 0)) continue;
    wrong.push(
      `${marker}: ${size} sent ${attempts} times ${withIds ? 'with' : 'without'} ids, ` +
        `acknowledged: ${acknowledged}, stored ${events}, of them ${unique} different`,
    );
  }
  assert.deepEqual(wrong, []);
  assert.deepEqual([...stored.keys()], [], 'nothing is stored that was not sent');
}

interface StoredBatch {
  events: number;
  unique: number;
}

export async function storedBatches(
  server: Pick<Server, 'request'>,
  key: string,
  receipt: string,
): Promise<Map<string, StoredBatch>> {
  const stored = new Map<string, StoredBatch>();
  const limit = 1_000;
  for (let offset = 0; ; offset += limit) {
    const query = {
      eventName: EVENT_NAME,
      mode: 'aggregate',
      groupBy: 'marker',
      metrics: [
        { aggregation: 'count', alias: 'events' },
        { aggregation: 'distinct_count', propertyKey: 'unique', alias: 'unique' },
      ],
      sortBy: 'marker',
      sortOrder: 'asc',
      limit,
      offset,
    };
    const { status, body } = await server.request(key, 'POST', `${EVENTS}/query`, query, { 'x-wait-for': receipt });
    assert.equal(status, 200, JSON.stringify(body));
    for (const { marker, events, unique } of body.rows) {
      assert.ok(!stored.has(marker), `${marker} on two pages`);
      stored.set(marker, { events, unique });
    }
    if (body.rows.length < limit) return stored;
  }
}

/** Standard error without what a first start says. */
function complaints(stderr: string): string {
  return stderr.replace(/^First start: .*\n/m, '');
}
