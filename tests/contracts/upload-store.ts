import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { PassThrough, Readable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { UNNEEDED_AFTER_MS, type UploadStore } from '../../src/core/knowledge/uploads.ts';
import { eventually } from '../support/process.ts';

export const UNABORTED = new AbortController().signal;

/** One place, which any number of stores may use at once. */
export interface UploadPlace {
  open(options?: { newId?: () => string }): UploadStore;
  /** Ids of what is there, whole or not, without derived files. */
  stored(): string[];
  /** As if everything there had come so much earlier. */
  age(ms: number): void;
  large: number;
}

const textOf = (content: string | Buffer) => Readable.from([Buffer.from(content)]);
const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex');

async function contentOf(store: UploadStore, id: string): Promise<Buffer | null> {
  const upload = await store.open(id, UNABORTED);
  if (upload === null) return null;
  try {
    return readFileSync(upload.path);
  } finally {
    await upload.close();
  }
}

function numbered(): () => string {
  let made = 0;
  return () => `upload-${++made}`;
}

export function testUploadStore(name: string, newPlace: (t: TestContext) => Promise<UploadPlace>): void {
  test(`${name}: a file is stored as sent, and any store of the place opens it`, async (t) => {
    const place = await newPlace(t);
    const [one, other] = [place.open(), place.open()];
    for (const size of [0, 1, place.large, place.large + 1, 2 * place.large + 17]) {
      const content = randomBytes(size);
      const { id, ...upload } = await one.receive(
        Readable.from([content.subarray(0, 5), content.subarray(5)]),
        UNABORTED,
      );
      assert.deepEqual(upload, { size, sha256: sha256(content) });
      assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-/);
      for (const store of [one, other]) assert.ok((await contentOf(store, id))?.equals(content), `${size} bytes`);
      await other.remove(id);
    }
    assert.equal(await contentOf(one, 'another'), null);
    assert.deepEqual(place.stored(), []);
  });

  test(`${name}: size and hash do not depend on how the stream is cut`, async (t) => {
    const store = (await newPlace(t)).open();
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.uint8Array({ minLength: 1, maxLength: 5_000 }), { maxLength: 20 }),
        async (parts) => {
          const chunks = parts.map((part) => Buffer.from(part));
          const whole = Buffer.concat(chunks);
          const { id, size, sha256: hash } = await store.receive(Readable.from(chunks), UNABORTED);
          assert.deepEqual([size, hash], [whole.length, sha256(whole)]);
          assert.ok((await contentOf(store, id))?.equals(whole));
        },
      ),
      { numRuns: 20 },
    );
  });

  test(`${name}: an aborted upload leaves nothing, whenever it is aborted`, async (t) => {
    const place = await newPlace(t);
    const store = place.open();
    for (const afterMs of [-1, 0, 1, 5, 20]) {
      const leaving = new AbortController();
      const endless = new Readable({ read: () => undefined });
      const received = store.receive(endless, leaving.signal);
      endless.push(Buffer.alloc(place.large + 1));
      if (afterMs >= 0) await sleep(afterMs);
      leaving.abort(new Error('the client has left'));
      await assert.rejects(received, /the client has left/);
      assert.deepEqual(place.stored(), [], `${afterMs} ms`);
      assert.equal(endless.destroyed, true, 'nobody goes on sending into the void');
    }
    // The whole file is there when its client leaves.
    for (const afterMs of [0, 1, 2, 3, 5]) {
      const leaving = new AbortController();
      const received = store.receive(textOf('whole'), leaving.signal).then(
        ({ id }) => id,
        () => null,
      );
      await sleep(afterMs);
      leaving.abort(new Error('the client has left'));
      const id = await received;
      assert.deepEqual(place.stored(), id === null ? [] : [id]);
      if (id !== null) await store.remove(id);
    }
  });

  test(`${name}: a failing stream leaves nothing, and its own error is thrown`, async (t) => {
    const place = await newPlace(t);
    const store = place.open();
    for (const bytes of [0, 100, place.large + 1]) {
      const failing = new PassThrough({ highWaterMark: 2 * place.large });
      const received = store.receive(failing, UNABORTED);
      failing.write(Buffer.alloc(bytes));
      await sleep(10);
      failing.destroy(Object.assign(new Error('the connection of the client'), { code: 'ECONNRESET' }));
      await assert.rejects(received, /the connection of the client|Premature close/);
      assert.deepEqual(place.stored(), []);
    }
  });

  test(`${name}: removal takes one upload alone, and may be repeated`, async (t) => {
    const place = await newPlace(t);
    const ids = ['upload-1', 'upload-10'];
    const store = place.open({ newId: () => ids.shift()! });
    for (const _ of [1, 10]) await store.receive(textOf('x'), UNABORTED);
    const open = (await store.open('upload-1', UNABORTED))!;
    writeFileSync(`${open.path}.utf8`, 'derived');
    await open.close();
    await store.remove('upload-1');
    assert.deepEqual(
      [place.stored(), existsSync(open.path), existsSync(`${open.path}.utf8`)],
      [['upload-10'], false, false],
    );
    await store.remove('upload-1');
    assert.equal(await store.open('upload-1', UNABORTED), null);
    assert.equal(String(await contentOf(store, 'upload-10')), 'x');
  });

  test(`${name}: derived files stay with the same path, and end with the upload`, async (t) => {
    const store = (await newPlace(t)).open();
    const { id } = await store.receive(textOf('text'), UNABORTED);
    const first = (await store.open(id, UNABORTED))!;
    writeFileSync(`${first.path}.blocks`, 'derived');
    const second = (await store.open(id, UNABORTED))!;
    assert.equal(second.path === first.path, existsSync(`${second.path}.blocks`));
    await first.close();
    await first.close();
    const third = (await store.open(id, UNABORTED))!;
    assert.deepEqual([third.path, existsSync(`${third.path}.blocks`)], [first.path, true]);
    assert.equal(readFileSync(second.path, 'utf8'), 'text');
    await second.close();
    await third.close();
  });

  test(`${name}: no id leads out of the place or names all of it`, async (t) => {
    const store = (await newPlace(t)).open();
    for (const id of ['', '.', '..', '../x', 'a/b', 'a.part', 'a\0']) {
      await assert.rejects(store.open(id, UNABORTED), /not the id of an upload/);
      await assert.rejects(store.remove(id), /not the id of an upload/);
    }
  });

  test(`${name}: another store's uploads stay while their job may come`, async (t) => {
    const place = await newPlace(t);
    const [one, other] = [place.open({ newId: numbered() }), place.open()];
    const slow = new PassThrough({ highWaterMark: 3 * place.large });
    const coming = one.receive(slow, UNABORTED);
    slow.write(Buffer.alloc(place.large + 1));
    await eventually('the upload has begun', async () => place.stored().length === 1, 10_000);
    await one.receive(textOf('its job comes next'), UNABORTED);
    await other.removeUnneeded(new Set());
    assert.deepEqual(place.stored(), ['upload-1', 'upload-2']);
    slow.end(' and ended');
    assert.equal((await coming).size, place.large + 11);
    assert.equal(String(await contentOf(other, 'upload-2')), 'its job comes next');
  });

  test(`${name}: old unneeded uploads and parts of crashes are removed`, async (t) => {
    const place = await newPlace(t);
    const one = place.open({ newId: numbered() });
    for (const text of ['needed', 'done']) await one.receive(textOf(text), UNABORTED);
    const crashed = new PassThrough({ highWaterMark: 3 * place.large });
    const lost = one.receive(crashed, UNABORTED);
    lost.catch(() => undefined);
    crashed.write(Buffer.alloc(place.large + 1));
    await eventually('it has begun', async () => place.stored().length === 3, 10_000);
    const other = place.open();
    const needed = new Set(['upload-1', 'unknown']);
    // A part that was on its way comes after the first removal, and is as new as its writing.
    const areGone = async () => {
      place.age(UNNEEDED_AFTER_MS + 60_000);
      await other.removeUnneeded(needed);
      return place.stored().length === 1;
    };
    await eventually('the others are gone', areGone, 10_000);
    const { id } = await place.open({ newId: () => 'new' }).receive(textOf('new'), UNABORTED);
    await other.removeUnneeded(needed);
    assert.deepEqual(place.stored(), [id, 'upload-1']);
    crashed.destroy(new Error('the process was killed'));
    await assert.rejects(lost);
    assert.equal(String(await contentOf(other, 'upload-1')), 'needed');
  });

  test(`${name}: stores that race for one upload read it whole or not at all`, async (t) => {
    const place = await newPlace(t);
    const stores = [place.open(), place.open()];
    const content = randomBytes(300_000);
    for (let round = 0; round < 5; round++) {
      const { id } = await stores[0]!.receive(textOf(content), UNABORTED);
      const found = await Promise.all([
        ...stores.map((store) => contentOf(store, id).catch(() => null)),
        stores[round % 2]!.remove(id),
        ...stores.map((store) => contentOf(store, id).catch(() => null)),
      ]);
      for (const read of found) assert.ok(!read || read.equals(content), 'cut off');
      assert.deepEqual(await Promise.all(stores.map((store) => contentOf(store, id))), [null, null]);
    }
    assert.deepEqual(place.stored(), []);
  });
}
