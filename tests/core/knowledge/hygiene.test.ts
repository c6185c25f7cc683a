import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { clean, cleanFields, EMPTY_VALUES, type Hygiene, isEmptyValue } from '../../../src/core/knowledge/hygiene.ts';
import { assertLinear } from '../../support/linear.ts';
import { rareTest } from '../../support/rare.ts';
import { NO_HYGIENE } from '../../support/upload-file.ts';

const ALL: Hygiene = {
  stripHtml: true,
  removeUrls: true,
  dropEmptyValues: true,
  normalizeWhitespace: true,
  dedupeUnits: true,
};

function assertCleaned(one: Partial<Hygiene>, expected: Record<string, string>): void {
  for (const [text, cleaned] of Object.entries(expected))
    assert.equal(clean(text, { ...NO_HYGIENE, ...one }), cleaned, text);
}

test('clean(): nothing changes by default', () => {
  fc.assert(fc.property(hostileText(), (text) => clean(text, NO_HYGIENE) === text));
});

test('stripHtml: tags, scripts, styles go; entities are decoded; blocks become breaks', () => {
  assertCleaned(
    { stripHtml: true },
    {
      '10<sup>6</sup> cells, CO<sub>2</sub>, x<sup>n+1</sup>': '10⁶ cells, CO₂, x^(n+1)',
      '<p>the 1<sup>st</sup> of<sup>[2]</sup></p><p><sup>1</sup>/<sub>2</sub>': 'the 1st of[2]\n\n¹/₂',
      '<p>One</p>\n<p>Two &amp; three</p>': 'One\n\nTwo & three',
      'x<br>y<BR/>z': 'x\ny\nz',
      'wo<b>r</b>d': 'word',
      'a&nbsp;b &eacute;&#233;&#xE9; &#x1F600;': 'a\u00a0b ééé 😀',
      '<a href="x?a=1&b=2" title="a < b">link</a>': 'link',
      '<input disabled data-x=1>text': 'text',
      '<script>if (a<b) {}</script>after<style>p > a {}</style> all': 'after\n all',
      '<!-- a <div> -->shown': 'shown',
      '<!doctype html><html><head><title>T</title></head><body>B</body></html>': 'T\n\nB',
      '<table><tr><th>a</th><th>b</th></tr><tr><td>c</td><td>d</td></tr></table>': 'a\tb\nc\td',
      '<ul><li>one<li>two</ul>': 'one\ntwo',
      '<![CDATA[<p>x</p>]]>': 'x',
      '<o:p></o:p><my-card>x</my-card><item>v</item><Foo bar="1"/>': 'xv',
      '&lt;p&gt;Escaped by an export&lt;/p&gt;': 'Escaped by an export',
    },
  );
});

test('stripHtml: text that only looks like markup stays', () => {
  const texts = [
    'a < b and c > d',
    'I <3 you',
    'a <b and c> d',
    'i<n; i++',
    'List<String> names = new ArrayList<>(); Map<K, V>, Box<B>, Optional<Link>, std::vector<std::string>',
    'use the <script> tag, or <style>',
    'open <!-- and never close',
    'AT&T, R&D, &nosuch; ?a=1&copy=2',
    '<https://example.org> <me@example.org>',
    '<<<>>> <- -> <= =>',
  ];
  assertCleaned({ stripHtml: true }, Object.fromEntries(texts.map((text) => [text, text])));
});

test('removeUrls: addresses and link syntax go; punctuation and brackets stay', () => {
  assertCleaned(
    { removeUrls: true },
    {
      'See https://example.org/a?b=c#d, or HTTP://EXAMPLE.ORG.': 'See , or .',
      'ftp://example.org/x www.example.org!': ' !',
      '(https://example.org)': '()',
      '"https://example.org"': '""',
      '**https://example.org**': '****',
      'https://en.wikipedia.org/wiki/Ok_(word), ok': ', ok',
      'https://pt.wikipedia.org/wiki/A%C3%A7ão fim': ' fim',
      'https://[::1]:8080/x y': ' y',
      '<https://example.org>.': '.',
      '[text](https://example.org "title") [more](<https://example.org>)': 'text more',
      '[![alt](http://example.org/i.png)](http://example.org)': 'alt',
      '[a [b] c](https://example.org/x_(y))': 'a [b] c',
      '| https://example.org | cell |': '|  | cell |',
      '访问https://example.org查看。': '访问查看。',
    },
  );
});

test('removeUrls: text that is not an address stays', () => {
  const texts = [
    '[a](/relative) [b',
    'wwww.x',
    'wait www... http:// x',
    'xhttp://y',
    'a.b.com',
    '[x] (https) me@x.org',
  ];
  assertCleaned({ removeUrls: true }, Object.fromEntries(texts.map((text) => [text, text])));
});

test('dropEmptyValues: lines with a named empty value go, and texts that are one', () => {
  assertCleaned(
    { dropEmptyValues: true },
    {
      'Name: Ann\nFax: N/A\r\nPhone: -\nCity: Rome': 'Name: Ann\nCity: Rome',
      'Ingredients:\n- salt': 'Ingredients:\n- salt',
      'Title\n-----\ntext': 'Title\n-----\ntext',
      ' null ': '',
      ' \n ': '',
      'null and void': 'null and void',
    },
  );
});

test('dropEmptyValues: only the listed spellings, not names, countries or numbers', () => {
  for (const value of [...EMPTY_VALUES, '', ' \u00a0', 'n/a', ' NULL ', 'none', 'NONE', 'nan', 'NAN']) {
    assert.ok(isEmptyValue(value), value);
  }
  for (const value of ['NA', 'Na', 'Nan', 'Nil', 'Null', '0', 'no', 'false', 'unknown', '-1', 'nonetheless', '----']) {
    assert.ok(!isEmptyValue(value), value);
  }
});

test('collapseWhitespace: runs collapse, and paragraphs stay apart', () => {
  assertCleaned(
    { normalizeWhitespace: true },
    {
      ' a \t\u00a0\u3000b ': 'a b',
      'a  \n  b': 'a\nb',
      'a\r\n\r\n\r\n \r\nb': 'a\n\nb',
      'a\fb\u2028c': 'a\nb\nc',
      '\n\n \t': '',
    },
  );
});

test('clean(): applies HTML, addresses, empty values, white space in this order', () => {
  const text =
    '<p>Site: <a href="https://example.org">https://example.org</a>&nbsp;N/A</p><p>&lt;b&gt;Rest&lt;/b&gt;  x</p>';
  assert.equal(clean(text, ALL), 'Rest x');
});

test('cleanFields(): fields that become empty are dropped', () => {
  const fields = [
    ['name', ' <b>Ann</b> '],
    ['site', 'https://example.org'],
    ['fax', 'n/a'],
    ['country', 'NA'],
    ['note', 'Phone: -'],
  ] as const;
  assert.deepEqual(cleanFields(fields, ALL), [
    ['name', 'Ann'],
    ['country', 'NA'],
    ['note', 'Phone: -'],
  ]);
  assert.deepEqual(cleanFields([['a', ' ']], { ...ALL, dropEmptyValues: false }), [['a', '']]);
});

test('clean(): is idempotent for every combination of options', () => {
  const hygiene = fc.record({
    stripHtml: fc.boolean(),
    removeUrls: fc.boolean(),
    dropEmptyValues: fc.boolean(),
    normalizeWhitespace: fc.boolean(),
    dedupeUnits: fc.boolean(),
  });
  const property = fc.property(hostileText(), hygiene, (text, asked) => {
    const once = clean(text, asked);
    assert.equal(clean(once, asked), once);
  });
  fc.assert(property, { numRuns: 2000 });
});

test('clean(): nested markup that reappears after removal terminates', () => {
  for (const unit of [
    ['<', 'b>'],
    ['&', 'amp;'],
    ['ht<http://x>', 'tp://y'],
    ['[', '](http://x)'],
  ] as const) {
    const text = unit[0].repeat(500) + unit[1].repeat(500);
    const once = clean(text, ALL);
    assert.equal(clean(once, ALL), once);
  }
});

rareTest('clean(): time is linear in the text, whatever it contains', () => {
  const markup = [
    '<b ',
    '<a x="',
    '<a x=\'"',
    '<!--',
    '<div>',
    '</b>',
    '&lt;',
    '&#0',
    '<script>',
    '</script',
    '<a b=c ',
  ];
  const others = ['](http://', 'http://', 'www.', '\n ', 'a:', '[](http://a "'];
  for (const unit of [...'<&h [)(', ...markup, ...others]) {
    assertLinear(
      (length) => `<a ${unit.repeat(length / unit.length)}`,
      16_000,
      (text) => clean(text, ALL),
    );
  }
});

function hostileText(): fc.Arbitrary<string> {
  const signs = [...'<>&"=/ \n\r\u2028:[]()!.a-—é中😀'];
  const markup = ['<b>', '</b>', '<p', '<!--', '-->', '<script>', '</script>', '<i x="', '<![CDATA[', ']]>'];
  const others = [
    'amp;',
    'lt;',
    '&gt;',
    '#60;',
    '&#x26;',
    'http',
    '://',
    'https://x.org',
    'www.',
    'N/A',
    'null',
    'Fax: ',
  ];
  return fc.array(fc.constantFrom(...signs, ...markup, ...others), { maxLength: 30 }).map((parts) => parts.join(''));
}
