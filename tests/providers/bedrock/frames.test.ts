import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EventStreamCodec } from '@smithy/eventstream-codec';
import fc from 'fast-check';
import { frameBytes } from '../../../src/providers/bedrock/client.ts';
import { cutAt } from '../support.ts';

const codec = new EventStreamCodec(
  (bytes) => Buffer.from(bytes).toString(),
  (text) => Buffer.from(text),
);

async function* reads(parts: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* parts;
}

test('frameBytes: frames pass unchanged however they are split', async () => {
  const frame = fc
    .uint8Array({ maxLength: 300 })
    .map((body) => codec.encode({ headers: { ':event-type': { type: 'string', value: 'x' } }, body }));
  await fc.assert(
    fc.asyncProperty(
      fc.array(frame, { maxLength: 6 }),
      fc.array(fc.nat(3_000), { maxLength: 10 }),
      async (frames, places) => {
        const parts = cutAt(Buffer.concat(frames), places);
        assert.deepEqual(await Array.fromAsync(frameBytes(reads(parts))), parts);
      },
    ),
  );
});

test('frameBytes: an impossible length is refused before memory is allocated', async () => {
  const frame = codec.encode({ headers: {}, body: new Uint8Array(10) });
  for (const bytes of [Buffer.from('<!doctype html>'), Buffer.from([0, 0, 0, 15]), Buffer.from([1, 0x10, 0, 1])]) {
    for (const places of [[], [1, 2, 3], [frame.length + 2]]) {
      const parts = cutAt(Buffer.concat([frame, bytes]), places);
      await assert.rejects(Array.fromAsync(frameBytes(reads(parts))), RangeError);
    }
  }
});
