import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { pages } from '../../../packaging/api-docs/pages.ts';
import { API_DOCS, readmeNow } from '../../../packaging/api-docs/write.ts';

const RENEW = 'the API or its examples have changed: run `npm run api-docs` and read the difference';

test('docs/api: the pages are generated from the current API', () => {
  const written = readdirSync(API_DOCS).filter((file) => file !== 'README.md');
  assert.deepEqual(written.sort(), [...pages().keys()].sort(), RENEW);
  for (const [file, text] of pages()) {
    assert.ok(readFileSync(new URL(file, API_DOCS), 'utf8') === text, `${file}: ${RENEW}`);
  }
  assert.ok(readFileSync(new URL('README.md', API_DOCS), 'utf8') === readmeNow(), `README.md: ${RENEW}`);
});

test('docs/api: every link leads to an existing page and heading', () => {
  for (const [file, text] of [...pages(), ['README.md', readmeNow()] as const]) {
    for (const [, path, anchor] of text.matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g)) {
      const target = readFileSync(new URL(path || file, API_DOCS), 'utf8');
      if (anchor) assert.ok(headingsOf(target).has(anchor), `${file}: ${path}#${anchor}`);
    }
  }
});

test('docs/api: the pages show tables of members, no JSON Schema', () => {
  const all = [...pages().values()].join('\n');
  assert.doesNotMatch(all, /"\$ref"|additionalProperties/);
  assert.match(all, /\| `rating` \| `"good"`, `"bad"` or `"needs_improvement"` \| How good the outcome was\. \|/);
  assert.match(all, /```sh\ncurl -X PATCH http:\/\/127\.0\.0\.1:3000\/api\/v1\/runtime\/users\//);
});

/** The anchors of the headings. */
function headingsOf(markdown: string): Set<string> {
  const titles = [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, title]) => title!.toLowerCase());
  return new Set(titles.map((title) => title.replace(/[^\w\s-]/g, '').replaceAll(' ', '-')));
}
