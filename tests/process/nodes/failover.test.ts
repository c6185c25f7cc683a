import assert from 'node:assert/strict';
import { EVENTS } from '../../support/app.ts';
import { ask } from '../../support/knowledge.ts';
import { hasNodes } from '../../support/postgres-state.ts';
import { eventually } from '../../support/process.ts';
import { rareTest } from '../../support/rare.ts';
import { failuresOf } from './checks.ts';
import { startCluster } from './support.ts';

const CLIENTS = 8;

/* What the other nodes do in one process has a fast test: tests/app/shared-nodes.test.ts. */
rareTest('nodes: when one is killed, only the requests that it has fail', { skip: !hasNodes }, async (t) => {
  const cluster = await startCluster(t);
  const desk = { url: cluster.url, key: await cluster.newKey() };
  let isOver = false;
  let answered = 0;
  t.after(() => {
    isOver = true;
  });
  const clients = Array.from({ length: CLIENTS }, async (_, client) => {
    for (let turn = 0; !isOver; turn += 1) {
      const event = { id: `${client}-${turn}`, eventName: 'steady' };
      const isQuestion = turn % 2 === 0;
      const asked = isQuestion
        ? ask(desk, 'POST', `${EVENTS}/query`, { eventName: 'steady', mode: 'raw', limit: 1 })
        : ask(desk, 'POST', EVENTS, { events: [event] });
      const answer = await asked.catch(() => null);
      if (answer) answered += 1;
      if (answer) assert.ok(answer.status < 300, JSON.stringify(answer));
    }
  });
  for (const node of cluster.nodes.slice(0, 2)) {
    const before = answered;
    await eventually('a steady load', async () => answered > before + 100, 30_000);
    await cluster.kill(node);
    const after = answered;
    await eventually('the others go on', async () => answered > after + 100, 30_000);
    await cluster.restart(node);
  }
  isOver = true;
  await Promise.all(clients);
  const { inFlight, others } = failuresOf(cluster);
  assert.deepEqual(others, []);
  assert.ok(inFlight <= 2 * CLIENTS, `${inFlight} failed`);
});
