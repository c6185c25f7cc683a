import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { open, seal } from '../../../../src/core/base/sealing/sealing.ts';

const KEY = new Uint8Array(32).fill(7);
const PLACE = ['provider', 'tenant-1', 'ollama', 'apiKey'];

test('seal: every text opens for its place with its key', () => {
  const places = fc.array(fc.string({ unit: 'binary' }), { minLength: 1, maxLength: 5 });
  const keys = fc.uint8Array({ minLength: 32, maxLength: 32 });
  fc.assert(
    fc.property(keys, fc.string({ unit: 'binary' }), places, (key, text, place) => {
      assert.equal(open(key, seal(key, text, place), place), text);
    }),
  );
});

test('seal: equal texts are sealed differently and are unreadable', () => {
  const sealed = Array.from({ length: 50 }, () => seal(KEY, 'sk-secret', PLACE));
  assert.equal(new Set(sealed).size, 50);
  for (const one of sealed) {
    assert.match(one, /^v1\.[\w-]{8}\.[\w-]+$/);
    assert.ok(!Buffer.from(one.split('.')[2]!, 'base64url').includes('sk-secret'));
  }
  assert.equal(new Set(sealed.map((one) => one.slice(0, 12))).size, 1, 'the key id is that of the key');
});

test('open: a secret moved to another row does not open', () => {
  const sealed = seal(KEY, 'sk-secret', PLACE);
  const elsewhere = PLACE.map((part, index) => PLACE.with(index, `${part}x`));
  const rejoined = [[...PLACE.slice(0, 2), 'ollama|apiKey'], [...PLACE, ''], PLACE.slice(0, 3), []];
  for (const place of [...elsewhere, ...rejoined]) {
    assert.throws(() => open(KEY, sealed, place), {
      name: 'UnopenableSecret',
      reason: 'changed',
      message: /^was changed where it is stored, or belongs to something else$/,
    });
  }
});

test('open: another key is told from a change, and the message names the settings', () => {
  const sealed = seal(KEY, 'sk-secret', PLACE);
  assert.throws(() => open(randomBytes(32), sealed, PLACE), {
    name: 'UnopenableSecret',
    reason: 'another key',
    message: /AGENT_RUNTIME_SECRET_KEY or secret\.key/,
  });
});

test('open: no character can be changed, added or removed', () => {
  const sealed = seal(KEY, 'sk-secret', PLACE);
  const changed = [...sealed].flatMap((character, index) => [
    sealed.slice(0, index) + (character === 'A' ? 'B' : 'A') + sealed.slice(index + 1),
    sealed.slice(0, index) + sealed.slice(index + 1),
    `${sealed.slice(0, index)}A${sealed.slice(index)}`,
  ]);
  const others = [`${sealed}A`, `${sealed}=`, ` ${sealed}`, `${sealed}\n`, '', 'sk-secret', 'v1', 'v1.AAAAAAAA.AAAA'];
  for (const text of [...changed, ...others]) {
    if (text === sealed) continue;
    assert.throws(() => open(KEY, text, PLACE), { name: 'UnopenableSecret' }, text);
  }
});

test('open: an error reveals neither the secret nor the key', () => {
  const sealed = seal(KEY, 'sk-secret', PLACE);
  for (const [key, place] of [
    [KEY, [...PLACE, 'x']],
    [randomBytes(32), PLACE],
  ] as const) {
    assert.throws(
      () => open(key, sealed, place),
      (error: Error) => {
        const said = [error.message, error.stack, JSON.stringify(error), String(error.cause)].join();
        return !said.includes('sk-secret') && !said.includes(sealed) && error.cause === undefined;
      },
    );
  }
});
