import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestResponse } from '../../support/app.ts';
import { freePort, newDataDirectory, startServer } from '../../support/process.ts';
import { rareTest } from '../../support/rare.ts';

const OBSERVABILITY = '/api/v1/runtime/v1/observability';
const QUEUE = `${OBSERVABILITY}/queues/all`;
const ITEMS = 200;
const KILLS = 5;

rareTest('Queues: kills of the server lose nothing that was done, and leave nothing', async (t) => {
  const [dataDir, port] = [newDataDirectory(t), await freePort()];
  let server = await startServer(t, dataDir, { port });
  const firstRun = readFileSync(join(dataDir, 'first-run.txt'), 'utf8');
  const key = /ar_\w+/.exec(firstRun)![0];
  const password = /Portal password +(\S+)/.exec(firstRun)![1]!;
  const send = async (method: string, path: string, headers: Record<string, string>, body?: unknown) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json().catch(() => null)) as TestResponse['body'] };
  };
  const people: Record<string, Record<string, string>> = { key: { 'x-api-key': key } };
  const { body: login } = await send('POST', '/api/v1/portal/login', {}, { email: 'admin@localhost', password });
  people.user = { authorization: `Bearer ${login.token}` };
  const executionOf = (index: number) => ({ id: `e${index}`, output: 'x', startedAt: new Date(index).toISOString() });
  await Promise.all(
    Array.from({ length: ITEMS }, (_, index) =>
      send('POST', `${OBSERVABILITY}/executions`, people.key!, executionOf(index)),
    ),
  );
  assert.equal((await send('POST', `${OBSERVABILITY}/queues`, people.key!, { name: 'all' })).status, 201);

  /** Whose answer of `done` came. */
  const done = new Map<string, string>();
  const holders = new Map<string, string>();
  let kills = 0;
  let restart: Promise<void> | null = null;
  const killOnce = async () => {
    await server.end('SIGKILL');
    server = await startServer(t, dataDir, { port });
    restart = null;
  };
  /** Sends again until a server answers. */
  const answered = async (person: string, path: string) => {
    for (;;) {
      await restart;
      const answer = await send('POST', path, people[person]!).catch(() => null);
      if (answer && answer.status !== 503) return answer;
      await restart;
    }
  };
  const work = async (person: string) => {
    for (;;) {
      const { status, body } = await answered(person, `${QUEUE}/next`);
      assert.equal(status, 200, JSON.stringify(body));
      if (body.item === null) return;
      const id = body.item.executionId as string;
      assert.equal(done.get(id), undefined, `${id} was done`);
      assert.ok([undefined, person].includes(holders.get(id)), `${id} is held by another`);
      holders.set(id, person);
      if (kills < KILLS && done.size > (kills + 1) * (ITEMS / (KILLS + 2)) && restart === null) {
        kills += 1;
        restart = killOnce();
      }
      const settled = await answered(person, `${QUEUE}/items/${id}/done`);
      assert.equal(settled.status, 200, JSON.stringify(settled.body));
      done.set(id, person);
    }
  };
  await Promise.all(Object.keys(people).map(work));
  assert.deepEqual([done.size, kills], [ITEMS, KILLS]);
  const { body: queue } = await send('GET', QUEUE, people.key!);
  assert.deepEqual([queue.waiting, queue.done], [0, ITEMS]);
  const counts = Object.values(people).map((_, index) => queue.people[index].done as number);
  assert.equal(
    counts.reduce((sum, count) => sum + count),
    ITEMS,
  );
});
