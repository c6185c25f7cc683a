import assert from 'node:assert/strict';
import { test } from 'node:test';
import { traceIdOf } from '../../../src/core/base/network/trace.ts';
import { invalid, RuntimeError } from '../../../src/core/base/shared/errors.ts';
import { failureReason } from '../../../src/tools/errors.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';

test('traceIdOf: takes the trace of a valid traceparent, and nothing else', () => {
  for (const traceparent of [`00-${TRACE}-${SPAN}-01`, `01-${TRACE}-${SPAN}-01`, `01-${TRACE}-${SPAN}-01-more`]) {
    assert.equal(traceIdOf({ traceparent }), TRACE, traceparent);
  }
  const broken = [
    ...[
      '',
      'x',
      `00-${TRACE}-${SPAN}`,
      `00-${TRACE}-${SPAN}-01-more`,
      `ff-${TRACE}-${SPAN}-01`,
      `00-${TRACE}-${SPAN}-0g`,
    ],
    ...[`00-${'0'.repeat(32)}-${SPAN}-01`, `00-${TRACE}-${'0'.repeat(16)}-01`, `00-${TRACE.toUpperCase()}-${SPAN}-01`],
    ...[
      `01-${TRACE}-${SPAN}-01more`,
      `01-${TRACE}-${SPAN}-01-${'x'.repeat(200)}`,
      null,
      7,
      {},
      [`00-${TRACE}-${SPAN}-01`],
    ],
  ];
  for (const traceparent of broken) assert.equal(traceIdOf({ traceparent }), undefined, String(traceparent));
  for (const meta of [undefined, null, 'x', []]) assert.equal(traceIdOf(meta), undefined);
});

test('failureReason: names codes and known fields, never what the caller named', () => {
  const known = new Set(['filters', 'operator', 'formula', 'parts']);
  assert.equal(failureReason(new RuntimeError('timeout', 'slow'), known), 'timeout');
  assert.equal(failureReason(new TypeError('secret'), known), 'internal');
  assert.equal(
    failureReason(
      invalid('filters[0].operator: must be eq', 'formula.parts.secret: is wrong', 'secret: unknown member'),
      known,
    ),
    'invalid: filters[0].operator, formula.parts',
  );
  assert.equal(failureReason(invalid('secret: x', 'a sentence without a field'), known), 'invalid');
});
