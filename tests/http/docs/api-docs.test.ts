import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { pages } from '../../../packaging/api-docs/pages.ts';

const API_DOCS = new URL('../../../docs/api/', import.meta.url);

test('docs/api: every link leads to an existing page and heading', () => {
  for (const [file, text] of pages()) {
    for (const [, path, anchor] of text.matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g)) {
      const target = pages().get(path || file) ?? readFileSync(new URL(path!, API_DOCS), 'utf8');
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
