import assert from 'node:assert/strict';
import { test } from 'node:test';
import { holds, PRESETS, reasonAgainst, SCOPES, scopeText } from '../../portal/src/pages/settings/keys/scopes.ts';
import { asked, withoutSecret } from '../../portal/src/pages/settings/keys/search.ts';
import { setupsFor } from '../../portal/src/pages/settings/keys/setups.ts';
import { inWords, stateOf } from '../../portal/src/pages/settings/keys/state.ts';
import { SCOPES_OF_ROLE } from '../../src/core/access/auth/rights.ts';
import { SCOPES as KNOWN } from '../../src/core/base/shared/caller.ts';

const NOW = Date.parse('2027-01-15T08:00:00Z');
const at = (ms: number) => new Date(NOW + ms).toISOString();
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

test('keys page: the end of a key is said in days, hours and minutes', () => {
  assert.equal(inWords(at(12 * DAY_MS + HOUR_MS), NOW), 'in 12 days');
  assert.equal(inWords(at(47 * HOUR_MS), NOW), 'in 47 hours');
  assert.equal(inWords(at(90 * 60_000), NOW), 'in 90 minutes');
  assert.equal(inWords(at(1), NOW), 'in 1 minute');
});

test('keys page: a revoked key is revoked, expired or not', () => {
  const shown = (revokedAt: string | null, expiresAt: string | null) => stateOf({ revokedAt, expiresAt }, NOW).label;
  assert.equal(shown(at(-1), at(-1)), 'Revoked');
  assert.equal(shown(null, at(0)), 'Expired');
  assert.equal(shown(null, at(30 * DAY_MS)), 'Expires in 30 days');
  assert.equal(shown(null, at(31 * DAY_MS)), 'Working');
  assert.equal(shown(null, null), 'Working');
});

test('keys page: the address filters, and what it does not know counts as left out', () => {
  assert.deepEqual(asked({}), { number: 1, state: 'active', search: undefined, maker: undefined, isLeavers: false });
  assert.deepEqual([asked({ state: 'revoked' }).state, asked({ state: 'other' }).state], ['revoked', 'active']);
  assert.deepEqual(
    ['3', '0', '-1', 'x', '2.5'].map((page) => asked({ page }).number),
    [3, 1, 1, 1, 2],
  );
  const leavers = asked({ leavers: 'true', state: 'revoked', maker: 'ana' });
  assert.deepEqual([leavers.state, leavers.maker, leavers.isLeavers], ['active', undefined, true]);
});

test('keys page: a pasted key is searched for by its id', () => {
  assert.equal(withoutSecret(`ar_abcDEF123456_${'x'.repeat(43)}`), 'abcDEF123456');
  assert.equal(withoutSecret('ar_abcDEF123456_half'), 'abcDEF123456');
  for (const [before, after] of [
    '""',
    ["'", "',"],
    ['x-api-key: ', ''],
    ['Authorization=Bearer%20', ' -d {}'],
  ] as const)
    assert.equal(withoutSecret(`${before}ar_abcDEF123456_${'x'.repeat(43)}${after}`), 'abcDEF123456');
  assert.equal(withoutSecret('import'), 'import');
  assert.equal(withoutSecret(undefined), undefined);
});

test('keys page: every scope has words, and presets have scopes that exist', () => {
  assert.deepEqual([...SCOPES].sort(), [...KNOWN, '*'].sort());
  assert.equal(new Set(SCOPES.map(scopeText)).size, SCOPES.length);
  for (const { scopes } of PRESETS) for (const scope of scopes) assert.ok(SCOPES.includes(scope), scope);
});

test('keys page: a role gets a reason against each preset that exceeds it', () => {
  const refused = (role: keyof typeof SCOPES_OF_ROLE) =>
    PRESETS.filter(({ scopes }) => reasonAgainst(scopes, SCOPES_OF_ROLE[role])).map(({ value }) => value);
  assert.deepEqual(refused('VIEWER'), ['events', 'server']);
  assert.deepEqual(refused('USER'), ['server']);
  assert.deepEqual(refused('ADMIN'), []);
  assert.equal(reasonAgainst(['mcp:read', 'users:write'], ['mcp:read']), 'Your role does not have: Change users');
  assert.equal(holds(['mcp:read'], '*'), false);
});

test('keys page: the setups fit what the key may do, with the key in each', () => {
  const connection = { url: 'http://127.0.0.1:3000/mcp', serverUrl: 'http://127.0.0.1:3000', key: 'ar_KEY' };
  const labels = (scopes: Parameters<typeof setupsFor>[0]) =>
    setupsFor(scopes, connection).map(({ label, code }) => {
      assert.ok(code.includes('ar_KEY') && code.includes('http://127.0.0.1:3000'), code);
      return label;
    });
  const clients = ['Claude Code', 'Cursor', 'VS Code', 'Claude Desktop'];
  assert.deepEqual(labels(PRESETS[0]!.scopes), [...clients, 'curl', 'TypeScript']);
  assert.deepEqual(labels(PRESETS[1]!.scopes), ['curl', 'TypeScript']);
  assert.deepEqual(labels(['*']), [...clients, 'curl', 'TypeScript']);
  const [curl] = setupsFor(['events:write'], connection);
  assert.match(curl!.code, /observability\/events/);
  assert.match(setupsFor(['reviews:read'], connection)[0]!.code, /\/usage/);
});
