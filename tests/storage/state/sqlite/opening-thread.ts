import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { openKnowledge } from '../../../../src/storage/knowledge/sqlite/client.ts';
import { openStateDatabase } from '../../../../src/storage/state/sqlite/database.ts';

export interface Opening {
  directory: string;
  files: number;
  threads: number;
  arrivals: Int32Array<SharedArrayBuffer>;
}

const { directory, files, threads, arrivals }: Opening = workerData;
const failures: string[] = [];

for (let file = 0; file < files; file++) {
  awaitOthers(threads * (file + 1));
  try {
    openKnowledge(join(directory, `knowledge-${file}.sqlite`), 'an-installation').close();
    await (await openStateDatabase(join(directory, `state-${file}.sqlite`), 'an-installation')).destroy();
  } catch (error) {
    failures.push(String(error));
  }
}
parentPort?.postMessage(failures);

function awaitOthers(expected: number): void {
  Atomics.add(arrivals, 0, 1);
  Atomics.notify(arrivals, 0);
  for (let arrived = Atomics.load(arrivals, 0); arrived < expected; arrived = Atomics.load(arrivals, 0))
    Atomics.wait(arrivals, 0, arrived);
}
