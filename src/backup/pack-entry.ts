import { PassThrough } from 'node:stream';
import { parentPort, workerData } from 'node:worker_threads';
import { toWire } from '../threads/call-thread.ts';
import { prepareStaged } from './make.ts';
import { pack } from './pack.ts';
import type { PackingReply, PackingTask } from './packing.ts';

/* The entry of the thread of `PackingThread`: it sends one piece for each request. */

const AHEAD_BYTES = 256 * 1024;

const { dataDir, staged, sealing } = workerData as PackingTask;
const port = parentPort!;
const reply = (message: PackingReply, moved: ArrayBuffer[] = []) => port.postMessage(message, moved);

try {
  const { size, ...prepared } = await prepareStaged(dataDir, staged, sealing);
  reply({ prepared: { events: prepared.inspected.events, size } });
  await new Promise((resolve) => port.once('message', resolve));
  const output = new PassThrough({ highWaterMark: AHEAD_BYTES });
  let packed = 0;
  const onProgress = (bytes: number) => {
    packed = bytes;
  };
  const target = {
    name: 'a download',
    write: async (produce: (to: PassThrough) => Promise<void>) => {
      await produce(output);
      return 0;
    },
    discard: () => undefined,
  };
  const packing = pack({ ...prepared, target, sealing, onProgress });
  packing.catch((error: Error) => output.destroy(error));
  for await (const part of output as AsyncIterable<Buffer>) {
    const chunk = new Uint8Array(part);
    reply({ chunk, packed }, [chunk.buffer]);
    await new Promise((resolve) => port.once('message', resolve));
  }
  await packing;
  reply({ end: true });
} catch (error) {
  reply({ error: toWire(error) });
} finally {
  port.close();
}
