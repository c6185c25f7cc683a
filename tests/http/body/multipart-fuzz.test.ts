import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { eventually } from '../../support/process.ts';
import { BOUNDARY, connected, END, form, head, part, post, STORE, uploadServer } from './upload-support.ts';

const CONTENT = Buffer.from('name,price\r\n"a",1\r\n'.repeat(50));
const WHOLE = form(STORE, part('metadata', '{"a":1}'), part('file', CONTENT, 'list.csv'));

/** Parts of forms, valid and invalid, in any order. */
const piece = fc.oneof(
  fc.constantFrom(
    STORE,
    END,
    part('file', CONTENT, 'list.csv'),
    part('file', '', 'empty.csv'),
    part('metadata', '{}'),
    Buffer.from(`--${BOUNDARY}`),
    Buffer.from(`--${BOUNDARY}\r\n`),
    Buffer.from('\r\n\r\n'),
    Buffer.from('Content-Disposition: form-data; name="file"; filename="x.csv"\r\n\r\n'),
  ),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
);

const changed = fc
  .tuple(fc.nat(WHOLE.length - 1), fc.nat(20), fc.uint8Array({ maxLength: 20 }))
  .map(([at, gone, put]) => Buffer.concat([WHOLE.subarray(0, at), put, WHOLE.subarray(at + gone)]));

test('upload fuzz: only accepted forms leave a file', async (t) => {
  const { url, files, store } = await uploadServer(t);
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        fc.array(piece, { maxLength: 8 }).map((all) => Buffer.concat(all)),
        changed,
      ),
      async (body) => {
        const before = files().length;
        const answer = await post(url, body);
        assert.ok([202, 400, 415].includes(answer.status), `${answer.status}`);
        assert.equal(files().length - before, answer.status === 202 ? 1 : 0);
        if (answer.status === 202) await store.remove(answer.body.file.upload.id);
      },
    ),
    { numRuns: 200, endOnFailure: true, timeout: 5_000, interruptAfterTimeLimit: 20_000 },
  );
});

test('upload fuzz: however a form is split into chunks, the same file arrives', async (t) => {
  const { port, contentOf } = await uploadServer(t);
  const sha256 = createHash('sha256').update(CONTENT).digest('hex');
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(WHOLE.length), { maxLength: 12 }), async (cuts) => {
      const { socket, received, status } = await connected(t, port);
      socket.setNoDelay(true).write(head(WHOLE.length));
      const at = [0, ...cuts.sort((one, other) => one - other), WHOLE.length];
      for (const [index, from] of at.slice(0, -1).entries()) {
        socket.write(WHOLE.subarray(from, at[index + 1]));
        await new Promise((resolve) => setImmediate(resolve));
      }
      await eventually('it is answered', async () => received().endsWith('}'), 10_000);
      const { file } = JSON.parse(received().slice(received().indexOf('{')));
      assert.deepEqual([status(), file.upload.size, file.upload.sha256], [202, CONTENT.length, sha256]);
      assert.ok(contentOf(file.upload.id).equals(CONTENT));
      socket.destroy();
    }),
    { numRuns: 40, endOnFailure: true, timeout: 5_000, interruptAfterTimeLimit: 20_000 },
  );
});
