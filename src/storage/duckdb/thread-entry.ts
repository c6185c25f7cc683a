import { parentPort, workerData } from 'node:worker_threads';
import { DuckdbEventStore, type EventStoreOptions } from './events.ts';
import { type Reply, type Request, toWire } from './protocol.ts';

/** The event thread: the store itself, answering requests. */
const port = parentPort!;
const reply = (message: Reply) => port.postMessage(message);
const aborts = new Map<number, AbortController>();

const store = await DuckdbEventStore.open(workerData as EventStoreOptions, {
  onFault: (error) => reply({ fault: toWire(error) }),
  onNotice: (notice) => reply({ notice }),
});

port.on('message', (request: Request) => {
  if (request.method === 'abort') aborts.get(request.id)?.abort();
  else void answer(request);
});
reply({ ready: true });

async function answer({ id, method, args }: Exclude<Request, { method: 'abort' }>): Promise<void> {
  const controller = new AbortController();
  aborts.set(id, controller);
  try {
    const call = store[method] as (...args: unknown[]) => Promise<unknown>;
    const value = await call.apply(store, method === 'query' ? [...args, controller.signal] : args);
    reply({ id, value });
  } catch (error) {
    reply({ id, error: toWire(error) });
  } finally {
    aborts.delete(id);
    if (method === 'close') port.close();
  }
}
