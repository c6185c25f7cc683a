import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { createLog, recentLinesOf } from '../../src/logging/log.ts';
import { runInRequestContext } from '../../src/logging/request-context.ts';

const KEY = `ar_0123456789ab_${'x'.repeat(43)}`;

function quietLog(level = 'info') {
  return createLog(level, new Writable({ write: (_chunk, _encoding, done) => done() }));
}

test('recentLinesOf: keeps the last 100 warnings and errors, newest first', () => {
  const log = quietLog();
  for (let index = 0; index < 250; index += 1) log.warn(`warning ${index}`);
  log.info('not kept');
  log.error({ err: new Error('the reason') }, 'the last');
  const lines = recentLinesOf(log);
  assert.equal(lines.length, 100);
  assert.deepEqual(
    lines.slice(0, 2).map(({ level, message, detail }) => [level, message, detail]),
    [
      ['error', 'the last', 'the reason'],
      ['warn', 'warning 249', null],
    ],
  );
  assert.match(lines[0]!.at, /^\d{4}-\d\d-\d\dT.*Z$/);
});

test('recentLinesOf: has no secrets, no other fields, and no long texts', () => {
  const log = quietLog();
  log.error({ reason: `refused ${KEY}`, password: 'a password', body: { secret: 'in a body' } }, `of ${KEY}`);
  log.warn({ reason: 'long '.repeat(10_000) }, 'long '.repeat(10_000));
  const text = JSON.stringify(recentLinesOf(log));
  assert.match(text, /refused ar_0123456789ab_\[redacted\]/);
  assert.doesNotMatch(text, /xxxx|a password|in a body|stack/);
  assert.ok(text.length < 2_000, `${text.length} characters`);
});

test('recentLinesOf: has the id of the request, and lines of its own log only', () => {
  const [log, other] = [quietLog(), quietLog()];
  runInRequestContext('request-1', () => log.warn({ reason: 'an upstream' }, 'request not answered for now'));
  const [line] = recentLinesOf(log);
  assert.deepEqual([line?.requestId, line?.detail], ['request-1', 'an upstream']);
  assert.deepEqual(recentLinesOf(other), []);
});
