import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Metrics } from '../../src/metrics/metrics.ts';

const PAGE = readFileSync(new URL('../../docs/operation.md', import.meta.url), 'utf8');

test("docs/operation.md: the table of metrics is the program's", () => {
  const rows = [...PAGE.matchAll(/^\| `agent_runtime_\w+` \|.*$/gm)].map(([row]) => row);
  const expected = new Metrics().recorders.map(
    ({ name, type, labels, help }) =>
      `| \`${name}\` | ${type} | ${labels.map((label) => `\`${label}\``).join(', ')} | ${help} |`,
  );
  assert.deepEqual(rows, expected);
});

test('metrics: names follow the Prometheus conventions', () => {
  for (const { name, type, help } of new Metrics().recorders) {
    assert.match(name, /^agent_runtime_[a-z][a-z_]*[a-z]$/);
    assert.equal(name.endsWith('_total'), type === 'counter', name);
    if (type === 'histogram') assert.match(name, /_seconds$/);
    assert.match(help, /^[A-Z].*\.$/);
  }
});
