import { writeSync } from 'node:fs';
import { storedEvent } from '../../../contracts/event-store.ts';
import { openNode } from './places.ts';

/*
 * A node of the kill test: appends, and kills itself with SIGKILL when it reaches a stage for the
 * given time. Each line of its output is an acknowledged batch. Its arguments are in an environment
 * variable, as JSON.
 */

const { postgresUrl, clickhouseUrl, node, life, stage, after, erases } = JSON.parse(process.env.KILL_CHILD!);
const ROUNDS = 60;

let left = after;
const store = await openNode(
  { postgresUrl, clickhouseUrl },
  { leaseMs: 500 },
  {
    onStage: (reached) => {
      if (reached !== stage) return;
      left -= 1;
      if (left <= 0) process.kill(process.pid, 'SIGKILL');
    },
  },
);

for (let round = 0; round < ROUNDS; round += 1) {
  // Shared: the other node sends the same ids at the same time. Own: made by the server, each one of a kind.
  const shared = Array.from({ length: 10 }, (_, at) =>
    storedEvent({
      id: `shared ${life} ${round} ${at}`,
      idFromCaller: true,
      properties: `{"n":${at},"key ${life}":"x"}`,
    }),
  );
  const own = Array.from({ length: 5 }, (_, at) => storedEvent({ id: `own ${node} ${life} ${round} ${at}` }));
  const erased = storedEvent({ id: `erased ${node} ${life} ${round}`, idFromCaller: true, threadId: 'erased' });
  await store.append('t', [...shared, ...own, erased]);
  writeSync(1, `${JSON.stringify([...shared, ...own].map(({ id }) => id))}\n`);
  if (erases && round % 20 === 10) await store.erase('t', { threadId: 'erased' });
}
await store.close();
