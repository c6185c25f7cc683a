import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { STAGES, type Stage } from '../../../../src/storage/events/clickhouse/observer.ts';
import { storedEvent } from '../../../contracts/event-store.ts';
import { rareTest } from '../../../support/rare.ts';
import { openNode, type Place, startEngines } from './places.ts';

const CHILD = fileURLToPath(new URL('kill-child.ts', import.meta.url));
const LIVES = Number(process.env.KILL_LIVES ?? 14);

interface Life {
  node: string;
  life: number;
  stage: Stage;
  after: number;
}

async function live(place: Place, life: Life): Promise<{ killed: boolean; ids: string[] }> {
  const argument = JSON.stringify({ ...place, ...life, erases: life.stage.startsWith('remove') });
  const child = spawn(process.execPath, [CHILD], {
    env: { ...process.env, KILL_CHILD: argument, NODE_TEST_CONTEXT: '' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [output, [code, signal]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  assert.ok(signal === 'SIGKILL' || code === 0, `ended with ${code} ${signal}`);
  // The runner of tests, which the child's imports start, writes a report at its end.
  const lines = output.split('\n').filter((line) => line.startsWith('['));
  return { killed: signal === 'SIGKILL', ids: lines.flatMap((line) => JSON.parse(line) as string[]) };
}

rareTest('ClickhouseEventStore: kills of two nodes at every stage lose and double nothing', async (t) => {
  const engines = await startEngines(t);
  const place = await engines.place();
  const acknowledged = new Set<string>();
  let kills = 0;
  for (let life = 0; life < LIVES; life += 1) {
    const stageOf = (at: number) => STAGES[at % STAGES.length]!;
    const lives = await Promise.all([
      live(place, { node: 'x', life, stage: stageOf(life), after: 1 + ((life * 7) % 3) }),
      live(place, { node: 'y', life, stage: stageOf(life + 1 + (life >> 2)), after: 1 + ((life * 3) % 4) }),
    ]);
    for (const { killed, ids } of lives) {
      if (killed) kills += 1;
      for (const id of ids) acknowledged.add(id);
    }
  }
  const store = await openNode(place);
  t.after(() => store.close());
  await store.settle();
  await store.erase('t', { threadId: 'erased' });
  const rows = await engines.clickhouse.rows(
    place.clickhouseUrl,
    'SELECT id, count() AS times, any(thread_id) AS thread FROM {database}.events GROUP BY id',
  );
  const doubled = rows.filter(([, times]) => Number(times) !== 1).map(([id]) => id);
  const stored = new Set(rows.map(([id]) => id as string));
  const lost = [...acknowledged].filter((id) => !stored.has(id));
  assert.deepEqual({ doubled, lost }, { doubled: [], lost: [] });
  const known = await store.knownEvents('t', null);
  assert.equal(
    known.reduce((sum, { events }) => sum + events, 0),
    stored.size,
    'counts of names are counts of events',
  );
  assert.equal(rows.filter(([, , thread]) => thread !== null).length, 0, 'what was erased is gone');
  // The ids of what was erased count as new, those of the others do not.
  const again = [...acknowledged].filter((id) => id.startsWith('shared')).slice(0, 100);
  const resent = again.map((id) => storedEvent({ id, idFromCaller: true }));
  assert.equal((await store.append('t', resent)).duplicates, again.length);
  assert.ok(kills >= LIVES / 2);
  // Before the engines end.
  await store.close();
});
