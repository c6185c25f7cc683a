import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { z } from 'zod';
import {
  createUserSchema,
  passwordSchema,
  updateUserSchema,
  userIdSchema,
} from '../../../../src/core/access/users/schema.ts';

const takes = (member: string, value: unknown) => updateUserSchema.safeParse({ [member]: value }).success;
const read = (member: 'name' | 'email' | 'phone', value: unknown) =>
  updateUserSchema.parse({ [member]: value })[member];

/** Bad for every text. */
const NO_TEXTS = [7, true, {}, [], ['a@b.co']];

function assertTaken(isTaken: (value: unknown) => boolean, good: readonly unknown[], bad: readonly unknown[]): void {
  for (const value of good) assert.equal(isTaken(value), true, JSON.stringify(value).slice(0, 60));
  for (const value of bad) assert.equal(isTaken(value), false, JSON.stringify(value).slice(0, 60));
}

const RUNS = { numRuns: 500 };
const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const text = (characters: string, minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...characters), minLength, maxLength });

const local = fc
  .array(text(`${LETTERS}_+-'`, 1, 8), { minLength: 1, maxLength: 4 })
  .map((parts) => `${parts.join('.')}a`);
const label = text(LETTERS, 1, 8);
const domain = fc
  .tuple(fc.array(label, { minLength: 1, maxLength: 3 }), text('abcxyzABC', 2, 6))
  .map(([labels, top]) => [...labels, top].join('.'));
const email = fc.tuple(local, fc.oneof(domain, fc.constant('localhost'))).map((parts) => parts.join('@'));

test('emailSchema: ordinary addresses are preserved', () => {
  fc.assert(
    fc.property(email, (value) => assert.equal(read('email', value), value)),
    RUNS,
  );
});

test('emailSchema: malformed addresses are refused', () => {
  const spoilt = fc.tuple(email, fc.constantFrom(' ', '\n', '\0', '@', ',', '<', '"', 'é', '😀', '\ud800'), fc.nat());
  fc.assert(
    fc.property(spoilt, ([value, wrong, at]) => {
      const index = at % (value.length + 1);
      assert.equal(takes('email', value.slice(0, index) + wrong + value.slice(index)), false);
    }),
    RUNS,
  );
  const good = "a@b.co o'brien@x.ie a+b@x.y.co A@B.CO admin@localhost 1@2.co _@b.co".split(' ');
  const bad = 'a @ a@ @b.co a@b a@b.c a@@b.co .a@b.co a..b@c.co a.@b.co a@b..co a@.co a@-b.co a@localhost.'.split(' ');
  assertTaken((value) => takes('email', value), good, [...bad, '', 'a@LOCALHOST', '@localhost', null, ...NO_TEXTS]);
});

test('emailSchema: at most 254 characters', () => {
  const long = (length: number) => `${'a'.repeat(length - '@example.com'.length)}@example.com`;
  assert.equal(takes('email', long(254)), true);
  assert.equal(takes('email', long(255)), false);
});

const separators = text(' .()-', 0, 3);
const digits = (minLength: number, maxLength: number) =>
  fc.array(fc.tuple(fc.constantFrom(...'0123456789'), separators), { minLength, maxLength });
const phoneOf = (plus: string, open: string, parts: [string, string][]) =>
  plus + open + parts.map(([digit, behind], index) => (index === parts.length - 1 ? digit : digit + behind)).join('');
const phone = (minimum: number, maximum: number) =>
  fc
    .tuple(fc.constantFrom('', '+'), fc.constantFrom('', '('), digits(minimum, maximum))
    .map((parts) => phoneOf(...parts));

test('phoneSchema: 7 to 15 digits, preserved as written', () => {
  fc.assert(
    fc.property(phone(7, 15), (value) => assert.equal(read('phone', value), value)),
    RUNS,
  );
  fc.assert(
    fc.property(fc.oneof(phone(1, 6), phone(16, 20)), (value) => assert.equal(takes('phone', value), false)),
    RUNS,
  );
  const spoilt = fc.tuple(phone(7, 14), fc.constantFrom(...'abcxyz/;,*#_\n\0٣😀'), fc.nat());
  fc.assert(
    fc.property(spoilt, ([value, wrong, at]) => {
      const index = at % (value.length + 1);
      assert.equal(takes('phone', value.slice(0, index) + wrong + value.slice(index)), false);
    }),
    RUNS,
  );
});

test('phoneSchema: common notations are valid', () => {
  const good = '+55 (11) 98765-4321 | 030 123456-7 | (030) 12.34.56.7 | 1234567 | +123456789012345 | 555 - 123 4567';
  const bad = ['', '+', '123456', '1234567890123456', '++1234567', '1+234567', '12345678+', ' 1234567', '1234567 '];
  const others = ['1234567-', 'tel:1234567', 1234567, ...NO_TEXTS];
  assertTaken((value) => takes('phone', value), [...good.split(' | '), '+1-555-123-4567'], [...bad, ...others]);
  assert.equal(read('phone', null), null);
});

const character = fc.constantFrom(...'aZ0 .-\'"<>&%', 'é', 'ß', '漢', '😀', '\u0303', '\u202e');
const inner = (minLength: number, maxLength: number) => fc.string({ unit: character, minLength, maxLength });

test('nameSchema: 2 to 100 trimmed characters, an emoji counts once', () => {
  const trimmed = (minimum: number, maximum: number) => inner(minimum, maximum).map((value) => `x${value}y`);
  fc.assert(
    fc.property(trimmed(0, 98), fc.constantFrom('', ' ', ' \t\n'), (value, blank) =>
      assert.equal(read('name', blank + value + blank), value),
    ),
    RUNS,
  );
  fc.assert(
    fc.property(trimmed(99, 150), (value) => assert.equal(takes('name', value), false)),
    RUNS,
  );
  for (const [value, isTaken] of [
    ['😀', false],
    ['😀😀', true],
    ['😀'.repeat(100), true],
    ['😀'.repeat(101), false],
    ['a'.repeat(100), true],
    ['a'.repeat(101), false],
    ['ab', true],
    ['a', false],
    [' a ', false],
    ['  ', false],
    ['', false],
  ] as const) {
    assert.equal(takes('name', value), isTaken, `${value.length} ${value.slice(0, 4)}`);
  }
});

test('nameSchema: well-formed and on one line', () => {
  const control = fc.constantFrom(...'\0\x07\n\r\t\x7f\x85\u2028\u2029', '\ud800', '\udc00');
  fc.assert(
    fc.property(inner(1, 40), control, inner(1, 40), (before, wrong, after) =>
      assert.equal(takes('name', `x${before}${wrong}${after}y`), false),
    ),
    RUNS,
  );
  assertTaken((value) => takes('name', value), ['Ana'], [null, ...NO_TEXTS]);
});

test('avatarUrlSchema: an http or https URL of at most 500 characters', () => {
  const long = (length: number, character = 'a') => {
    const start = 'https://example.com/';
    return start + character.repeat(length - start.length);
  };
  const good = ['http://a', 'https://example.com/a.png?size=1#x', 'HTTPS://EXAMPLE.COM', 'https://[::1]:80/ä'];
  const bad = ['', 'http:', 'http://', 'https:///a', 'https://a b', ' https://a', 'https://a\n', 'https://a\0'];
  const others = ['https://\ud800', 'ftp://a', 'javascript:alert(1)', 'data:image/png;base64,AAAA', '//a', '/a.png'];
  assertTaken(
    (value) => takes('avatarUrl', value),
    [...good, long(500), long(500, '😀')],
    [...bad, ...others, 'https://a:port', long(501), long(501, '😀'), ...NO_TEXTS],
  );
  assert.equal(updateUserSchema.parse({ avatarUrl: null }).avatarUrl, null);
});

test('passwordSchema: 12 to 200 characters on one line', () => {
  const isTaken = (value: unknown) => passwordSchema.safeParse(value).success;
  const good = ['abcdefghijkm', '😀'.repeat(12), 'x'.repeat(200), '😀'.repeat(200), ' a b c d e f '];
  const bad = ['', 'abcdefghijk', '😀'.repeat(11), 'x'.repeat(201), '😀'.repeat(201)];
  const others = ['twelve\nlines', 'twelve chars\0', 'twelve chars\ud800', null, 123456789012, ...NO_TEXTS];
  assertTaken(isTaken, good, [...bad, ...others]);
  for (const value of good) assert.equal(passwordSchema.parse(value), value, 'blanks stay');
});

test('metadataSchema: three members of an identity provider and no others', () => {
  const metadata = (value: unknown) =>
    createUserSchema.safeParse({ email: 'a@b.co', name: 'Ana', role: 'USER', metadata: value }).success;
  const good = [{}, { idp_user_id: 'x' }, { idp_user_id: 'x'.repeat(200), idp_created: true, invite_sent: false }];
  const ids = [7, '', 'x'.repeat(201), 'a\0'].map((id) => ({ idp_user_id: id }));
  const others = [{ other: 1 }, { idp_created: 'yes' }, { invite_sent: null }];
  const proto = JSON.parse('{"__proto__": {"idp_created": true}}');
  assertTaken(metadata, good, [null, [], 'x', ...ids, ...others, proto]);
});

test('userIdSchema: a UUID of any version in any case', () => {
  const id = '0190a5a0-0000-7000-8000-00000000abcd';
  assert.equal(userIdSchema.parse(id.toUpperCase()), id);
  assert.equal(userIdSchema.parse('00000000-0000-0000-0000-000000000000').length, 36);
  for (const bad of ['', 'x', id.slice(1), `${id}0`, id.replaceAll('-', ''), `{${id}}`, ` ${id}`, `${id}\n`, 7]) {
    assert.equal(userIdSchema.safeParse(bad).success, false, JSON.stringify(bad));
  }
});

test('createUserSchema: the JSON schema has every static rule', () => {
  const { properties } = z.toJSONSchema(updateUserSchema, { io: 'input' });
  const name = properties?.name as { minLength: number; maxLength: number };
  assert.deepEqual([name.minLength, name.maxLength], [2, 100]);
  assert.match(JSON.stringify(properties?.avatarUrl), /"maxLength":500,"format":"uri"/);
});
