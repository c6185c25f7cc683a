import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { filesIn } from '../../packaging/binary/files.ts';
import { builtPart } from '../../packaging/portal/parts.ts';
import { portalSizes } from '../../packaging/portal/sizes.ts';

const SOURCES = join(import.meta.dirname, '../../portal');

test('Portal: entry, charts and each page stay within their sizes', async () => {
  const { directory } = await builtPart('portal');
  const { entry, stylesheet, charts, pages } = portalSizes(directory);
  assert.ok(entry <= 120_000, `entry: ${entry} bytes`);
  assert.ok(stylesheet <= 9_000, `stylesheet: ${stylesheet} bytes`);
  assert.ok(charts > 5_000 && charts <= 30_000, `charts: ${charts} bytes`);
  assert.ok(pages.size >= 7, [...pages.keys()].join(' '));
  // Only Portuguese pages load their catalogue, once for all of them.
  const catalogue = 'src/language/pt/index.ts';
  const limitOf = (page: string) => (page === catalogue ? 90_000 : 60_000);
  assert.ok(pages.has(catalogue));
  for (const [page, bytes] of pages) assert.ok(bytes <= limitOf(page), `${page}: ${bytes} bytes`);
});

test('Portal: its sources have no markup that the CSP or Trusted Types refuse', () => {
  for (const file of filesIn(SOURCES).filter((one) => /\.(tsx?|html)$/.test(one))) {
    const text = readFileSync(join(SOURCES, file), 'utf8');
    assert.doesNotMatch(text, /innerHTML|insertAdjacentHTML|document\.write|dangerouslySet|\sstyle="|<style/, file);
  }
});

test('Portal: only portal/src/ui imports Base UI', () => {
  for (const file of filesIn(join(SOURCES, 'src')).filter((one) => !one.startsWith('ui/') && one !== 'main.tsx')) {
    assert.doesNotMatch(readFileSync(join(SOURCES, 'src', file), 'utf8'), /from '@base-ui/, file);
  }
});
