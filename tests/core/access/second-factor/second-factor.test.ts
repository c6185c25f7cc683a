import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { generate } from 'otplib';
import {
  hashOfRecoveryCode,
  newRecoveryCodes,
  newTotpSecret,
  stepOfCode,
  totpUri,
} from '../../../../src/core/access/second-factor/codes.ts';
import { relyingPartyOf } from '../../../../src/core/access/second-factor/passkeys.ts';
import { StepUp, type StepUpParts } from '../../../../src/core/access/second-factor/step-up.ts';
import type { Caller } from '../../../../src/core/base/shared/caller.ts';
import { RuntimeError } from '../../../../src/core/base/shared/errors.ts';

/** RFC 6238, appendix B, for SHA-1: the last six digits. */
const RFC_SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const VECTORS = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
] as const;

test('TOTP: codes of RFC 6238 are right in their time step', async () => {
  for (const [seconds, code] of VECTORS) {
    assert.equal(await stepOfCode(RFC_SECRET, code, seconds * 1_000), Math.floor(seconds / 30), code);
  }
});

test('TOTP: a code holds for its step, the one before and the one after', async () => {
  const secret = await newTotpSecret();
  assert.match(secret, /^[A-Z2-7]{32}$/);
  const step = 58_000_000;
  const code = await generate({ secret, epoch: step * 30 });
  for (const [offset, accepted] of [
    [-31, false],
    [-30, true],
    [-1, true],
    [0, true],
    [29, true],
    [59, true],
    [60, false],
  ] as const) {
    const found = await stepOfCode(secret, code, (step * 30 + offset) * 1_000);
    assert.equal(found, accepted ? step : null, `${offset}`);
  }
});

test('TOTP: the URI escapes what users and hosts are called', async () => {
  const uri = await totpUri(RFC_SECRET, { issuer: 'Agent Runtime (x.example)', label: 'ana+1@example.com (a & b)' });
  const { protocol, searchParams } = new URL(uri);
  assert.equal(protocol, 'otpauth:');
  assert.deepEqual([searchParams.get('secret'), searchParams.get('issuer')], [RFC_SECRET, 'Agent Runtime (x.example)']);
  assert.match(uri, /ana%2B1%40example\.com%20\(a%20%26%20b\)/);
});

test('recovery codes: ten that differ, each recognised however it is typed', () => {
  const { codes, hashes } = newRecoveryCodes();
  assert.equal(new Set(hashes).size, 10);
  for (const code of codes) assert.match(code, /^([0-9a-hjkmnp-tv-z]{4}-){3}[0-9a-hjkmnp-tv-z]{4}$/);
  const typed = fc.func(fc.constantFrom('lower', 'upper', 'spaced', 'letters'));
  fc.assert(
    fc.property(fc.nat(9), typed, (index, how) => {
      const code = codes[index]!;
      const spelled = [...code]
        .map((sign, at) => {
          const way = how(at);
          if (way === 'upper') return sign.toUpperCase();
          if (way === 'spaced') return sign === '-' ? ' ' : `${sign} `;
          if (way === 'letters') return sign.replace('0', 'O').replace('1', 'l');
          return sign;
        })
        .join('');
      assert.equal(hashOfRecoveryCode(spelled), hashes[index]);
    }),
  );
  assert.ok(!hashes.includes(hashOfRecoveryCode('')));
});

const ofUrl = (url: string) => relyingPartyOf(url, { host: 'localhost:3000', secure: false });
const ofHost = (host: string | undefined, secure = false) => relyingPartyOf(undefined, { host, secure });

test('relying party: is the host of the public URL, whatever the request says', () => {
  assert.deepEqual(ofUrl('https://kpi.example.com/runtime/'), {
    id: 'kpi.example.com',
    origin: 'https://kpi.example.com',
  });
  assert.deepEqual(ofUrl('https://KPI.example.com:8443'), {
    id: 'kpi.example.com',
    origin: 'https://kpi.example.com:8443',
  });
  assert.deepEqual(ofUrl('http://localhost:3000'), { id: 'localhost', origin: 'http://localhost:3000' });
});

test('relying party: browsers take no IP address, and no name over http', () => {
  for (const url of ['http://kpi.example.com', 'https://192.0.2.7', 'https://[2001:db8::7]:3000']) {
    assert.equal(ofUrl(url), null, url);
  }
});

test('relying party: without a public URL it is localhost alone', () => {
  assert.deepEqual(ofHost('localhost:3000'), { id: 'localhost', origin: 'http://localhost:3000' });
  assert.deepEqual(ofHost('LOCALHOST', true), { id: 'localhost', origin: 'https://localhost' });
  for (const host of [undefined, '', '127.0.0.1:3000', '[::1]:3000', 'kpi.example.com', 'localhost.example.com', '%']) {
    assert.equal(ofHost(host, true), null, host);
  }
});

const MINUTE = 60_000;
const NOW = 100 * MINUTE;

/** Of a user whose session had a second factor at a time; null: never. */
function stepUpAt(secondFactorAt: number | null | undefined, hasFactor = true): StepUp {
  const session = secondFactorAt === undefined ? null : { secondFactorAt };
  const parts = {
    store: { has: async () => hasFactor },
    sessions: { find: async () => session },
    effects: { now: () => NOW },
  };
  return new StepUp(parts as unknown as StepUpParts);
}

const USER = { credential: { kind: 'user', id: 'ada' }, sessionId: 'one' } as Caller;
const KEY = { credential: { kind: 'key', id: 'k' }, userId: 'ada' } as Caller;

const refuses = async (stepUp: StepUp) =>
  assert.rejects(
    stepUp.require(USER),
    (error) => error instanceof RuntimeError && error.code === 'forbidden' && error.maxAge === 600,
  );

test('StepUp: a second factor holds for ten minutes of its session', async () => {
  await stepUpAt(NOW).require(USER);
  await stepUpAt(NOW - 10 * MINUTE + 1).require(USER);
  await refuses(stepUpAt(NOW - 10 * MINUTE));
  await refuses(stepUpAt(null));
  await refuses(stepUpAt(undefined));
});

test('StepUp: a time in the future, as of another clock, holds no longer', async () => {
  await stepUpAt(NOW + 10 * MINUTE - 1).require(USER);
  await refuses(stepUpAt(NOW + 10 * MINUTE));
});

test('StepUp: users without a second factor and API keys pass', async () => {
  await stepUpAt(null, false).require(USER);
  await stepUpAt(null).require(KEY);
});
