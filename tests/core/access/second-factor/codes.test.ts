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
