import { PassThrough } from 'node:stream';
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { RuntimeError } from '../core/base/shared/errors.ts';
import { toWire } from '../threads/call-thread.ts';
import { prepareStaged } from './make.ts';
import { pack } from './pack.ts';
import type { PackingReply, PackingTask } from './packing.ts';

/* The entry of the thread of `PackingThread`: it sends one piece for each request. */

const AHEAD_BYTES = 256 * 1024;

const { dataDir, staged, sealing } = workerData as PackingTask;
const port = parentPort!;
const reply = (message: PackingReply, moved: ArrayBuffer[] = []) => port.postMessage(message, moved);

const closed = () => new RuntimeError('unavailable', 'The backup was broken off.');
/** While it is prepared, the close is the only message. */
const goOn = () => {
  if (receiveMessageOnPort(port) !== undefined) throw closed();
};
const next = () =>
  new Promise<void>((resolve, reject) => {
    port.once('message', (message) => (message === 'close' ? reject(closed()) : resolve()));
  });

try {
  const { size, ...prepared } = await prepareStaged(dataDir, staged, sealing, goOn);
  reply({ prepared: { events: prepared.inspected.events, size } });
  await next();
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
    await next();
  }
  await packing;
  reply({ end: true });
} catch (error) {
  reply({ error: toWire(error) });
} finally {
  port.close();
}
