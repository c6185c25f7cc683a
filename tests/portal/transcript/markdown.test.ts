import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isPicture, linkAddress, shownAddress } from '../../../portal/src/transcript/markdown/addresses.ts';
import {
  type MarkdownNode,
  PLAIN_TAGS,
  parseMarkdown,
  textOf,
} from '../../../portal/src/transcript/markdown/syntax.ts';

const PIXEL = 'data:image/png;base64,iVBORw0KGgo=';

function parsed(text: string): MarkdownNode[] {
  return parseMarkdown(text) ?? assert.fail('is too long or too nested');
}

const paragraph = (...children: MarkdownNode[]) => [{ tag: 'p', children }];

test('Markdown: paragraphs, emphasis, headings, quotes and code', () => {
  assert.deepEqual(parsed('# A *b*\n\nc **d** ~~e~~ `f<g`\n\n> h\n\n```js\ni < j\n```'), [
    { tag: 'heading', level: 1, children: ['A ', { tag: 'em', children: ['b'] }] },
    ...paragraph('c ', { tag: 'strong', children: ['d'] }, ' ', { tag: 'del', children: ['e'] }, ' ', {
      tag: 'code',
      children: ['f<g'],
    }),
    { tag: 'blockquote', children: paragraph('h') },
    { tag: 'codeBlock', language: 'js', text: 'i < j' },
  ]);
});

test('Markdown: lists with their first number and boxes, tables with their alignment', () => {
  assert.deepEqual(parsed('3. a\n4. b\n\n- [x] c\n- [ ] d'), [
    {
      tag: 'ol',
      start: 3,
      children: [
        { tag: 'li', children: ['a'] },
        { tag: 'li', children: ['b'] },
      ],
    },
    {
      tag: 'ul',
      children: [
        { tag: 'li', children: ['☑ ', 'c'] },
        { tag: 'li', children: ['☐ ', 'd'] },
      ],
    },
  ]);
  const cell = (tag: 'th' | 'td', align: 'right' | null, text: string) => ({ tag, align, children: [text] });
  assert.deepEqual(parsed('| a | b |\n| - | -: |\n| 1 | 2 |'), [
    {
      tag: 'table',
      children: [
        { tag: 'thead', children: [{ tag: 'tr', children: [cell('th', null, 'a'), cell('th', 'right', 'b')] }] },
        { tag: 'tbody', children: [{ tag: 'tr', children: [cell('td', null, '1'), cell('td', 'right', '2')] }] },
      ],
    },
  ]);
});

test('Markdown: HTML is text, and nothing that was written is lost', () => {
  assert.deepEqual(parsed('<script>alert(1)</script>'), paragraph('<script>alert(1)</script>'));
  assert.equal(
    textOf(parsed('a <b>c</b> <!-- d --> <img src=x onerror=e>')),
    'a <b>c</b> <!-- d --> <img src=x onerror=e>',
  );
  assert.equal(textOf(parsed('[a]: http://b.example "c"')), '[a]: http://b.example "c"');
});

test('Markdown: character references are resolved in texts, not in code and not twice', () => {
  assert.equal(textOf(parsed('&lt;b&gt; &amp;lt; &#233;&#xE9; &copy; &#0;')), '<b> &lt; éé &copy; \ufffd');
  assert.equal(textOf(parsed('`&lt;`')), '&lt;');
});

test('Markdown: a link says where it leads, unless its text already does', () => {
  const link = (address: string, shown: string | null, text: string) => ({
    tag: 'link',
    address,
    shown,
    children: [text],
  });
  assert.deepEqual(
    parsed('[a](https://b.example/c)'),
    paragraph(link('https://b.example/c', 'https://b.example/c', 'a') as MarkdownNode),
  );
  assert.deepEqual(
    parsed('https://b.example'),
    paragraph(link('https://b.example/', null, 'https://b.example') as MarkdownNode),
  );
  assert.deepEqual(parsed('x@y.example'), paragraph(link('mailto:x@y.example', null, 'x@y.example') as MarkdownNode));
  const [lookalike] = parsed('[https://good.example](https://evil.example)');
  assert.match(JSON.stringify(lookalike), /"shown":"https:\/\/evil\.example\/"/);
  const [cyrillic] = parsed('<https://аpple.example>');
  assert.match(JSON.stringify(cyrillic), /"shown":"https:\/\/xn--/);
});

test('Markdown: other schemes, passwords and addresses without a host stay text', () => {
  for (const address of [
    'javascript:alert(1)',
    'JavaScript:x',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc',
    'blob:x',
  ]) {
    assert.equal(linkAddress(address), null, address);
  }
  for (const address of [
    '/settings',
    '#a',
    '//evil.example',
    'https://user:word@evil.example/',
    'https://user@evil.example',
  ]) {
    assert.equal(linkAddress(address), null, address);
  }
  assert.deepEqual(parsed('[a](javascript:b)'), paragraph('a', ' (javascript:b)'));
});

test('Markdown: pictures are data of five kinds; others are links or text', () => {
  assert.deepEqual(parsed(`![a](${PIXEL})`), paragraph({ tag: 'picture', source: PIXEL, label: 'a' }));
  const [remote] = parsed('![a](https://b.example/c.png)');
  assert.match(JSON.stringify(remote), /"tag":"link".*"Image: a"/);
  for (const source of ['data:image/svg+xml;base64,aaaa', 'data:text/html;base64,aaaa', 'data:image/png,x']) {
    assert.equal(isPicture(source), false, source);
    assert.equal(textOf(parsed(`![a](${source})`)), `Image: a (${source})`);
  }
  assert.deepEqual(parsed(`[![a](${PIXEL})](https://b.example)`), [
    {
      tag: 'p',
      children: [{ tag: 'link', address: 'https://b.example/', shown: 'https://b.example/', children: ['a'] }],
    },
  ]);
});

test('Markdown: what is too long or too nested is not parsed', () => {
  assert.equal(parseMarkdown('a'.repeat(40_001)), null);
  assert.equal(parseMarkdown('\n'.repeat(2_000)), null);
  assert.equal(parseMarkdown('> '.repeat(11)), null);
  assert.ok(parseMarkdown('> '.repeat(10)));
});

test('Markdown: runs of delimiters and deep lists stay text', () => {
  const delimiters = '_a __a'.repeat(6_000);
  assert.deepEqual(parseMarkdown(delimiters), paragraph(delimiters));
  const nested = Array.from({ length: 100 }, (_, depth) => `${'  '.repeat(depth)}- item ${depth}`).join('\n');
  const nodes = parseMarkdown(nested);
  assert.ok(nodes);
  assert.ok(depthOf(nodes) <= 60, String(depthOf(nodes)));
  for (let depth = 0; depth < 100; depth += 1) assert.match(textOf(nodes), new RegExp(`item ${depth}(?!\\d)`));
});

test('Markdown: a shown address is short, and has no halved characters', () => {
  assert.equal(shownAddress('mailto:a@b.example'), 'a@b.example');
  const long = shownAddress(`https://a.example/${'x'.repeat(101)}😀`);
  assert.equal(long.length, 121);
  assert.ok(long.isWellFormed());
});

function depthOf(nodes: readonly MarkdownNode[]): number {
  return (
    1 +
    Math.max(0, ...nodes.map((node) => (typeof node === 'object' && 'children' in node ? depthOf(node.children) : 0)))
  );
}

/** Pieces of Markdown, HTML and addresses, of which hostile texts are made. */
const piece = fc.constantFrom(
  ...'* ** _ ` ``` ~~ [ ] ]( ) ![ < > " \' | |-| javascript: JAVASCRIPT&colon; data:text/html,'.split(' '),
  ...'vbscript: http:// https://a.example mailto: www. @ <script> </script> <!-- -->'.split(' '),
  ...'<![CDATA[ <style> &#106; &lt; \\'.split(' '),
  ...['\n', '\n\n', '    ', '- ', '1. ', '# ', 'java\nscript:', '<img src=x onerror=', '<a href="javascript:'],
  ...['\u202e', '\u2066', '\ud800', '\0', '😀', 'שלום', 'word ', PIXEL, 'data:image/svg+xml;base64,aaaa'],
);
const hostile = fc.array(fc.oneof({ weight: 4, arbitrary: piece }, fc.string({ unit: 'binary', maxLength: 8 })), {
  maxLength: 60,
});

const SPECIAL = ['heading', 'codeBlock', 'picture', 'link'];

function assertHarmless(nodes: readonly MarkdownNode[], isInLink = false): void {
  for (const node of nodes) {
    if (typeof node === 'string') continue;
    assert.ok([...PLAIN_TAGS, ...SPECIAL].includes(node.tag), node.tag);
    if (node.tag === 'picture') assert.match(node.source, /^data:image\/(png|jpeg|gif|webp|avif);base64,[\w+/]+=*$/);
    if (node.tag === 'link') {
      assert.ok(!isInLink, 'a link within a link');
      assert.match(new URL(node.address).protocol, /^(https?|mailto):$/);
      const shown = node.shown ?? textOf(node.children);
      const whole = [node.address, node.address.replace(/\/$/, ''), node.address.replace(/^mailto:/, '')];
      assert.ok(whole.includes(shown) || shown.endsWith('…'), `${node.address} is shown as ${shown}`);
    }
    if ('children' in node) assertHarmless(node.children, isInLink || node.tag === 'link');
  }
}

test('Markdown: any text becomes texts and known elements, whose links are harmless', () => {
  fc.assert(
    fc.property(hostile, (pieces) => {
      const nodes = parseMarkdown(pieces.join(''));
      if (nodes !== null) assertHarmless(nodes);
    }),
    { numRuns: 3_000 },
  );
});

test('Markdown: each word of a text is in what is shown of it', () => {
  const word = fc.stringMatching(/^[a-z]{3,8}[0-9]{3}$/);
  fc.assert(
    fc.property(fc.array(fc.tuple(word, piece), { maxLength: 30 }), (pairs) => {
      const nodes = parseMarkdown(pairs.map(([one, between]) => `${one} ${between} `).join(''));
      const shown = JSON.stringify(nodes);
      for (const [one] of pairs) assert.ok(shown.includes(one), `${one} in ${shown}`);
    }),
    { numRuns: 1_000 },
  );
});
