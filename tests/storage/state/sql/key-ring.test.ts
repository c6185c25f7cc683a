import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { keyIdOf, openWith, seal } from '../../../../src/core/base/sealing/sealing.ts';
import { StoredKeyRing } from '../../../../src/storage/installation/key-ring.ts';
import type { StateDatabase } from '../../../../src/storage/state/sql/database.ts';
import { SqlKeyRing } from '../../../../src/storage/state/sql/key-ring.ts';
import { temporaryDirectory } from '../../../support/app.ts';
import { sharedStates } from '../../../support/state.ts';

const secretKey = 'a secret of all the nodes together';
const PLACE = ['a', 'place'];

for (const { name, place } of sharedStates()) {
  const opening = async (t: TestContext) => {
    const open = await place(t);
    let clock = 1_000;
    return async (parts: Partial<Parameters<typeof SqlKeyRing.open>[0]> = {}) => {
      const database: StateDatabase = await open();
      const now = () => {
        clock += 1;
        return clock;
      };
      const ring = await SqlKeyRing.open({
        ...{ database, now, secretKey, onError: (error) => assert.fail(String(error)) },
        ...{ reloaded: async () => undefined, ...parts },
      });
      t.after(() => ring.close());
      return { ring, database };
    };
  };

  test(`SqlKeyRing (${name}): nodes that start at once have one key`, async (t) => {
    const open = await opening(t);
    const nodes = await Promise.all([open(), open(), open()]);
    const keys = await Promise.all(nodes.map(({ ring }) => ring.active()));
    assert.equal(new Set(keys.map(keyIdOf)).size, 1);
    const sealed = seal(keys[0]!, 'a secret', PLACE);
    for (const { ring } of nodes) assert.equal(openWith(ring, sealed, PLACE), 'a secret');
  });

  test(`SqlKeyRing (${name}): a rotation is seen by every node`, async (t) => {
    const open = await opening(t);
    const other = await open();
    const before = await other.ring.active();
    const reloaded = async () => {
      assert.equal(keyIdOf(await other.ring.active()), keyIdOf(before), 'the new key does not seal yet');
    };
    const { ring } = await open({ reloaded });
    await ring.rotate({ abandonLost: false });
    const after = await ring.active();
    assert.notEqual(keyIdOf(after), keyIdOf(before));
    // Without another look at the database.
    assert.equal(openWith(other.ring, seal(after, 'new', PLACE), PLACE), 'new');
    assert.equal(openWith(other.ring, seal(before, 'old', PLACE), PLACE), 'old');
    assert.equal(keyIdOf(await other.ring.active()), keyIdOf(after));
    assert.equal(other.ring.retired(), 1);
  });

  // A waiting connection to SQLite blocks the thread in which the other one would commit.
  const skip = name === 'SQLite';
  test(`SqlKeyRing (${name}): rotations at once leave one active key`, { skip }, async (t) => {
    const open = await opening(t);
    const nodes = await Promise.all([open(), open(), open()]);
    const ends = await Promise.allSettled(nodes.map(({ ring }) => ring.rotate({ abandonLost: false })));
    assert.ok(ends.some(({ status }) => status === 'fulfilled'));
    for (const end of ends) if (end.status === 'rejected') assert.equal(end.reason.code, 'conflict');
    const keys = await Promise.all(nodes.map(({ ring }) => ring.active()));
    assert.equal(new Set(keys.map(keyIdOf)).size, 1);
  });

  test(`SqlKeyRing (${name}): keys are wrapped with the secret`, async (t) => {
    const open = await opening(t);
    const { ring, database } = await open();
    const key = await ring.active();
    const rows = await database.selectFrom('sealing_keys').selectAll().execute();
    assert.doesNotMatch(JSON.stringify(rows), new RegExp(Buffer.from(key).toString('base64url')));
    const stranger = await open({ secretKey: 'another secret, of another installation' });
    await assert.rejects(stranger.ring.active(), /AGENT_RUNTIME_SECRET_KEY.*secrets rotate --previous-key-file/);
    assert.throws(() => stranger.ring.keyFor(keyIdOf(key)), /another AGENT_RUNTIME_SECRET_KEY/);
    await stranger.ring.rotate({ abandonLost: true });
    assert.ok(await stranger.ring.active());
  });

  test(`SqlKeyRing (${name}): a new secret wraps the keys of the former`, async (t) => {
    const open = await opening(t);
    const key = await (await open()).ring.active();
    const changed = { secretKey: 'the secret that comes after the first' };
    const { ring } = await open({ ...changed, previousSecretKey: secretKey });
    await ring.settle();
    assert.equal(keyIdOf(await (await open(changed)).ring.active()), keyIdOf(key));
  });

  test(`SqlKeyRing (${name}): retired keys can be forgotten`, async (t) => {
    const open = await opening(t);
    const { ring } = await open();
    const [first, others] = [keyIdOf(await ring.active()), new Set<string>()];
    for (let count = 0; count < 2; count += 1) {
      await ring.rotate({ abandonLost: false });
      others.add(keyIdOf(await ring.active()));
    }
    assert.equal(await ring.forget({ retiredBefore: 0, needed: new Set() }), 0);
    assert.equal(await ring.forget({ retiredBefore: 1_000_000, needed: others }), 1);
    assert.throws(() => ring.keyFor(first), /was sealed with another key than those in the database/);
    assert.equal(ring.retired(), 1);
  });

  test(`SqlKeyRing (${name}): takes over the keys of a file, and gives them back`, async (t) => {
    const file = (secret?: string) => new StoredKeyRing({ dataDir: temporaryDirectory(t), secretKey: secret });
    const from = file();
    const sealed = seal(await from.active(), 'a secret', PLACE);
    const { ring } = await (await opening(t))();
    const active = keyIdOf(await ring.active());
    for (let count = 0; count < 2; count += 1) await ring.adopt(await from.openedKeys());
    assert.equal(openWith(ring, sealed, PLACE), 'a secret');
    assert.equal(keyIdOf(await ring.active()), active);
    assert.equal(ring.retired(), 1);
    const back = file(secretKey);
    await back.adopt(await ring.openedKeys());
    assert.equal(openWith(back, sealed, PLACE), 'a secret');
    assert.equal(back.retired(), 1);
    assert.ok(await back.active());
  });
}
