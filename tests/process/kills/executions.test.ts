import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EVENTS } from '../../support/app.ts';
import { createKey, eventually, newDataDirectory, type Server, startServer } from '../../support/process.ts';

const EXECUTIONS = '/api/v1/runtime/v1/observability/executions';
const CLIENTS = 6;
const STEPS = 4;

/** An execution of a client that goes on whatever becomes of the server. */
interface Run {
  id: string;
  /** Steps that the server acknowledged. */
  steps: number;
  isEnded: boolean;
}

class Clients {
  readonly runs: Run[] = [];
  private server: Server | null = null;
  private isStopped = false;
  private readonly clients: Promise<void>[];
  private readonly key: string;

  constructor(key: string) {
    this.key = key;
    this.clients = Array.from({ length: CLIENTS }, (_, client) => this.work(client));
  }

  aim(server: Server | null): void {
    this.server = server;
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    await Promise.all(this.clients);
  }

  get acknowledged(): number {
    return this.runs.reduce((sum, { steps }) => sum + steps, 0);
  }

  private async work(client: number): Promise<void> {
    for (let number = 0; !this.isStopped; number++) {
      const run: Run = { id: `run-${client}-${number}`, steps: 0, isEnded: false };
      this.runs.push(run);
      await this.sent(EXECUTIONS, { id: run.id, model: 'gpt-5', messages: [{ role: 'user', content: run.id }] });
      for (let step = 0; step < STEPS; step++) {
        await this.sent(`${EXECUTIONS}/${run.id}/steps`, { steps: [stepOf(step)] });
        run.steps += 1;
      }
      await this.sent(EXECUTIONS, { id: run.id, output: 'done' });
      run.isEnded = true;
    }
  }

  /** Until a server acknowledges it. */
  private async sent(path: string, body: object): Promise<void> {
    const isSent = async () => {
      const response = await this.request(path, body);
      if (response === null || response.status === 503) return false;
      assert.ok(response.ok, `${response.status} ${await response.text()}`);
      return true;
    };
    await eventually('a server answers', isSent, 60_000);
  }

  /** Null without an answer. */
  request(path: string, body?: object): Promise<Response | null> {
    if (this.server === null) return Promise.resolve(null);
    return fetch(this.server.url + path, {
      method: body ? 'POST' : 'GET',
      headers: { 'content-type': 'application/json', 'x-api-key': this.key },
      ...(body && { body: JSON.stringify(body) }),
    }).catch(() => null);
  }
}

function stepOf(step: number): object {
  const startedAt = `2026-03-01T12:00:0${step}Z`;
  return {
    id: `s${step}`,
    parentId: `s${step + 1}`,
    kind: 'model',
    name: 'answer',
    startedAt,
    usage: { input_tokens: 1 },
  };
}

test('serve: kills lose no acknowledged step, and each end is one event', {
  timeout: 120_000,
}, async (t) => {
  const dataDir = newDataDirectory(t);
  const { key } = await createKey(dataDir);
  const environment = { AGENT_RUNTIME_RATE_LIMIT: '0' };
  const clients = new Clients(key);
  let server = await startServer(t, dataDir, { environment });
  for (let kill = 0; kill < 2; kill++) {
    const before = clients.acknowledged;
    clients.aim(server);
    await eventually('steps are acknowledged', async () => clients.acknowledged > before + 20, 30_000);
    clients.aim(null);
    await server.end('SIGKILL');
    server = await startServer(t, dataDir, { environment });
  }
  clients.aim(server);
  await clients.stop();
  for (const { id, steps } of clients.runs) {
    const found = (await (await clients.request(`${EXECUTIONS}/${id}`))!.json()) as Record<string, unknown>;
    assert.deepEqual([found.stepsTotal, found.totalTokens, found.status], [steps, steps, 'completed'], id);
  }
  const count = async () => {
    const query = { eventName: 'runtime.execution_completed', mode: 'aggregate' };
    const { rows } = (await (await clients.request(`${EVENTS}/query`, query))!.json()) as { rows: { count: number }[] };
    return rows.length > 0 && rows[0]!.count >= clients.runs.length && rows[0]!.count;
  };
  const { found } = await eventually('every end is an event', count, 30_000);
  assert.equal(found, clients.runs.length);
  await server.end('SIGTERM');
});
