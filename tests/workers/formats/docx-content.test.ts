import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { docx } from '../../../src/workers/formats/docx/format.ts';
import { fileOf } from '../../support/upload-file.ts';
import { docxOf, NAMESPACES, OPTIONS, outline, paragraph } from './make-docx.ts';

const math = (text: string) => `<m:r><m:t>${text}</m:t></m:r>`;
const part = (name: string, content: string) => `<m:${name}>${content}</m:${name}>`;
const property = (name: string, value: string) => `<m:${name} m:val="${value}"/>`;
const fraction = (above: string, below: string, type = 'bar') =>
  part('f', part('fPr', property('type', type)) + part('num', above) + part('den', below));
const power = (base: string, exponent: string) => part('sSup', part('e', base) + part('sup', exponent));
const root = (degree: string, of: string) =>
  part('rad', part('radPr', property('degHide', degree === '' ? '1' : '0')) + part('deg', degree) + part('e', of));
const between = (begin: string, end: string, ...within: string[]) =>
  part(
    'd',
    part('dPr', property('begChr', begin) + property('endChr', end)) + within.map((one) => part('e', one)).join(''),
  );

const EQUATIONS: [shown: string, equation: string][] = [
  ['1/2', fraction(math('1'), math('2'))],
  ['(a+b)/(2c)', fraction(math('a+b'), math('2c'), 'lin')],
  ['(1/2)x', fraction(math('1'), math('2')) + math('x')],
  ['(1/2)(3/4)', fraction(math('1'), math('2')) + fraction(math('3'), math('4'))],
  ['1/(2/3)', fraction(math('1'), fraction(math('2'), math('3')))],
  ['10⁻⁶', power(math('10'), math('-6'))],
  ['(a+b)²', power(math('a+b'), math('2'))],
  ['2^(n+1)', power(math('2'), math('n+1'))],
  ['(x²)³', power(power(math('x'), math('2')), math('3'))],
  ['(x^n)²', power(power(math('x'), math('n')), math('2'))],
  ['e^(1/x)', power(math('e'), fraction(math('1'), math('x')))],
  ['x₁²', part('sSubSup', part('e', math('x')) + part('sub', math('1')) + part('sup', math('2')))],
  ['x_(max)', part('sSub', part('e', math('x')) + part('sub', math('max')))],
  ['₂³X', part('sPre', part('sub', math('2')) + part('sup', math('3')) + part('e', math('X')))],
  ['√(x+1)', root('', math('x+1'))],
  ['³√(8)', root(math('3'), math('8'))],
  ['√[n](8)', root(math('n'), math('8'))],
  ['(n atop k)', between('(', ')', fraction(math('n'), math('k'), 'noBar'))],
  ['[a|b)', between('[', ')', math('a'), math('b'))],
  ['{1; 0', between('{', '', part('eqArr', part('e', math('1')) + part('e', math('0'))))],
  ['∫₀¹ x', part('nary', part('sub', math('0')) + part('sup', math('1')) + part('e', math('x')))],
  [
    '∑_(i=1)^n i²',
    part(
      'nary',
      part('naryPr', property('chr', '∑')) +
        part('sub', math('i=1')) +
        part('sup', math('n')) +
        part('e', power(math('i'), math('2'))),
    ),
  ],
  [
    '[1, 0; 0, 1]',
    part(
      'm',
      ['1 0', '0 1']
        .map((row) =>
          part(
            'mr',
            row
              .split(' ')
              .map((cell) => part('e', math(cell)))
              .join(''),
          ),
        )
        .join(''),
    ),
  ],
  [
    'lim_(x→0) f',
    part(
      'func',
      part('fName', part('limLow', part('e', math('lim')) + part('lim', math('x→0')))) + part('e', math('f')),
    ),
  ],
  ['x\u0305', part('bar', part('barPr', property('pos', 'top')) + part('e', math('x')))],
  ['v\u20d7', part('acc', part('accPr', property('chr', '\u20d7')) + part('e', math('v')))],
  ['E=mc²', part('borderBox', part('e', math('E=m') + power(math('c'), math('2'))))],
];

test('DOCX: equations keep the arrangement of their parts as a line', async (t) => {
  for (const [shown, equation] of EQUATIONS) {
    assert.equal(await textOf(t, `<w:p><m:oMathPara><m:oMath>${equation}</m:oMath></m:oMathPara></w:p>`), shown);
  }
});

const run = (text: string, properties = '') =>
  `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`;
const up = (text: string) => run(text, '<w:vertAlign w:val="superscript"/>');
const down = (text: string) => run(text, '<w:vertAlign w:val="subscript"/>');
const symbol = (font: string, char: string) => `<w:r><w:sym w:font="${font}" w:char="${char}"/></w:r>`;
const font = (name: string, text: string) => run(text, `<w:rFonts w:ascii="${name}"/>`);
const fieldChar = (type: string, data = '') => `<w:r><w:fldChar w:fldCharType="${type}">${data}</w:fldChar></w:r>`;
const field = (instruction: string, result?: string, data = '') =>
  `${fieldChar('begin', data)}<w:r><w:instrText xml:space="preserve">${instruction}</w:instrText></w:r>${
    result === undefined ? '' : fieldChar('separate') + run(result)
  }${fieldChar('end')}`;
const form = (data: string) => field(' FORM ', undefined, `<w:ffData>${data}</w:ffData>`);
const ruby = (reading: string, base: string) =>
  `<w:r><w:ruby><w:rt>${run(reading)}</w:rt><w:rubyBase>${run(base)}</w:rubyBase></w:ruby></w:r>`;
const half = `<m:oMath>${fraction(math('1'), math('2'))}</m:oMath>`;

const RUNS: [shown: string, runs: string][] = [
  ['2 1/2 cups', run('2') + half + run(' cups')],
  ['10⁻³ m²', run('10') + up('-') + up('3') + run(' m') + up('2')],
  ['H₂O, V_(max), x^n', run('H') + down('2') + run('O, V') + down('max') + run(', x') + up('n')],
  ['x^(n + 1), see^(2, 3)', run('x') + up('n + 1') + run(', see') + up('2, 3')],
  ['a note set small', run('a ') + up('note set small')],
  ['the 1st, Acme®, see (1)', run('the 1') + up('st') + run(', Acme') + up('®') + run(', see (1)')],
  ['8 °C ≤ 5 µg', run('8 ') + symbol('Symbol', 'F0B0') + run('C ') + symbol('Symbol', 'F0A3') + run(' 5 µg')],
  ['✓ ☑ □ ☒', ['FC', 'FE', '6F', 'FD'].map((code) => symbol('Wingdings', `F0${code}`)).join(run(' '))],
  ['°☒', symbol('Times New Roman', '00B0') + symbol('MS Gothic', '2612')],
  ['αβ ±', font('Symbol', 'a\uf062') + run(' ') + font('Symbol', '\uf0b1')],
  ['[symbol F041 of Odd] a', symbol('Odd', 'F041') + run(' a')],
  ['1/2 and 1,5/2', field(' EQ \\f(1,2) ') + run(' and ') + field('EQ \\f(1,5;2)')],
  [
    '√(x+1) ³√(8) √(a+b)/2',
    field('EQ \\r(x+1)') + run(' ') + field('EQ \\r(3,8)') + run(' ') + field('EQ \\f(\\r(a+b),2)'),
  ],
  ['10⁶ H₂', run('10') + field('EQ \\s\\up5(6)') + run(' H') + field('EQ \\s\\do3(2)')],
  ['20 °C', run('20 ') + field('SYMBOL 176 \\f "Symbol" \\s 12') + run('C')],
  ['shown', field('IF 1 = 1 "shown"', 'shown')],
  [
    '☒ yes ☐ no',
    `${form('<w:checkBox><w:default w:val="0"/><w:checked/></w:checkBox>')}${run(' yes ')}${form('<w:checkBox><w:default w:val="0"/></w:checkBox>')}${run(' no')}`,
  ],
  ['blue', form('<w:ddList><w:result w:val="1"/><w:listEntry w:val="red"/><w:listEntry w:val="blue"/></w:ddList>')],
  ['東京(とうきょう)です', ruby('とう', '東') + ruby('きょう', '京') + run('です')],
  ['[Picture: A red valve]', '<w:r><w:drawing><wp:docPr id="1" descr="A red valve"/></w:drawing></w:r>'],
];

test('DOCX: symbols, raised text, fields, forms and readings are text', async (t) => {
  for (const [shown, runs] of RUNS) assert.equal(await textOf(t, `<w:p>${runs}</w:p>`), shown);
});

test('DOCX: an instruction that is not closed hides no other paragraph', async (t) => {
  const open = `<w:p>${fieldChar('begin')}<w:r><w:instrText>PAGE</w:instrText></w:r></w:p>`;
  assert.equal(await textOf(t, open + paragraph('Still here.')), 'Still here.');
});

test('DOCX: a style of characters raises text and gives it a font', async (t) => {
  const styles = `<w:style w:type="character" w:styleId="Up"><w:rPr><w:vertAlign w:val="superscript"/></w:rPr></w:style>
    <w:style w:type="character" w:styleId="Greek"><w:rPr><w:rFonts w:ascii="Symbol"/></w:rPr></w:style>`;
  const body = `<w:p>${run('10')}${run('9', '<w:rStyle w:val="Up"/>')}${run('m', '<w:rStyle w:val="Greek"/>')}</w:p>`;
  assert.deepEqual(await outline(t, docxOf(body, { styles })), [[[], '10⁹μ']]);
});

const level = (index: number, format: string, text: string, more = '') =>
  `<w:lvl w:ilvl="${index}"><w:start w:val="1"/><w:numFmt w:val="${format}"/>${more}<w:lvlText w:val="${text}"/></w:lvl>`;
const list = (id: number, levels: string) => `<w:abstractNum w:abstractNumId="${id}">${levels}</w:abstractNum>`;
const uses = (id: number, of: number, more = '') =>
  `<w:num w:numId="${id}"><w:abstractNumId w:val="${of}"/>${more}</w:num>`;
const item = (text: string, numId: number, depth = 0) =>
  `<w:p><w:pPr><w:numPr><w:ilvl w:val="${depth}"/><w:numId w:val="${numId}"/></w:numPr></w:pPr>${run(text)}</w:p>`;

const LEGAL = level(0, 'upperRoman', 'Article %1') + level(1, 'decimal', '%1.%2', '<w:isLgl/>');
const LISTS: [what: string, levels: string, nums: string, body: string, shown: string][] = [
  [
    'levels restart, and an outer level counts on',
    level(0, 'decimal', '%1.') + level(1, 'lowerLetter', '%1%2)'),
    uses(1, 1),
    item('a', 1) + item('b', 1, 1) + item('c', 1, 1) + item('d', 1) + item('e', 1, 1),
    '1. a\n  1a) b\n  1b) c\n2. d\n  2a) e',
  ],
  [
    'a level that never restarts',
    level(0, 'decimal', '%1.') + level(1, 'decimal', '%2)', '<w:lvlRestart w:val="0"/>'),
    uses(1, 1),
    item('a', 1) + item('b', 1, 1) + item('c', 1) + item('d', 1, 1),
    '1. a\n  1) b\n2. c\n  2) d',
  ],
  ['legal numbering', LEGAL, uses(1, 1), item('a', 1) + item('b', 1, 1), 'Article I a\n  1.1 b'],
  [
    'a start of its own; another numbering of the list counts on',
    level(0, 'decimal', '%1.'),
    uses(1, 1) + uses(2, 1, '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="7"/></w:lvlOverride>') + uses(3, 1),
    item('a', 1) + item('b', 2) + item('c', 2) + item('d', 3),
    '1. a\n7. b\n8. c\n9. d',
  ],
  [
    'formats of numbers',
    ['decimalZero', 'lowerRoman', 'upperLetter', 'ordinal', 'decimalEnclosedCircle', 'japaneseCounting']
      .map((format, index) => level(index, format, `%${index + 1}`, '<w:start w:val="21"/>'))
      .join(''),
    uses(1, 1),
    [0, 1, 2, 3, 4, 5].map((depth) => item('x', 1, depth)).join(''),
    '21 x\n  xxi x\n    U x\n      21st x\n        21 x\n          二十一 x',
  ],
  ['bullets', level(0, 'bullet', '\uf0b7'), uses(1, 1), item('a', 1) + item('b', 1), '- a\n- b'],
  ['an unknown list', '', '', item('a', 9), '- a'],
];

test('DOCX: automatic numbers of lists are text', async (t) => {
  for (const [what, levels, nums, body, shown] of LISTS) {
    const numbering = list(1, levels) + nums;
    assert.deepEqual(await outline(t, docxOf(body, { numbering })), [[[], shown]], what);
  }
});

test('DOCX: headings are numbered by their styles; empty paragraphs count', async (t) => {
  const style = (number: number, numPr: string) =>
    `<w:style w:type="paragraph" w:styleId="H${number}"><w:name w:val="heading ${number}"/><w:basedOn w:val="H1"/>
      <w:pPr><w:numPr>${numPr}</w:numPr></w:pPr></w:style>`;
  const styles = style(1, '<w:numId w:val="1"/>') + style(2, '<w:ilvl w:val="1"/>');
  const linked = (index: number, text: string) => level(index, 'decimal', text, `<w:pStyle w:val="H${index + 1}"/>`);
  const numbering = list(1, linked(0, '%1') + linked(1, '%1.%2')) + uses(1, 1);
  const body = [paragraph('Scope', 'H1'), paragraph('', 'H2'), paragraph('Terms', 'H2'), paragraph('Here.')];
  assert.deepEqual(await outline(t, docxOf(body.join(''), { styles, numbering })), [
    [['1 Scope', '1.2 Terms'], 'Here.'],
  ]);
});

test('DOCX: headers and footers occur once, comments where they were made', async (t) => {
  const files = {
    'word/h1.xml': `<w:hdr ${NAMESPACES}>${paragraph('Rev. 3')}</w:hdr>`,
    'word/h2.xml': `<w:hdr ${NAMESPACES}>${paragraph('Rev. 3')}</w:hdr>`,
    'word/f1.xml': `<w:ftr ${NAMESPACES}>${paragraph('Confidential')}</w:ftr>`,
  };
  const related = ['r1 header h1.xml', 'r2 header h2.xml', 'r3 footer f1.xml'];
  const comments = `<w:comment w:id="4" w:author="Jane">${paragraph('Is this so?')}</w:comment>`;
  const body = `<w:p><w:r><w:t>Said</w:t><w:commentReference w:id="4"/></w:r></w:p>`;
  assert.deepEqual(await outline(t, docxOf(body, { comments }, { related, files })), [
    [[], 'Rev. 3\n\nSaid[1]\n\n[1] Comment by Jane: Is this so?\n\nConfidential'],
  ]);
});

test('DOCX: embedded pages, texts, documents and charts are read in place', async (t) => {
  const archive = `MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary="b"\r\n\r\n--b\r\nContent-Type: text/html\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n<html><p class=3D"x">Caf=C3=A9</p></html>\r\n--b--`;
  const files = {
    'word/a.html': '<html><body><h1>Page</h1><p>10<sup>6</sup> m, CO<sub>2</sub></p></body></html>',
    'word/b.mht': archive,
    'word/c.txt': 'Plain.',
    'word/d.docx': docxOf(paragraph('Inner.', 'Heading2') + paragraph('Under it.')),
    'word/e.rtf': '{\\rtf1 lost}',
    'word/f.xml': `<c:chartSpace ${NAMESPACES}><c:title><c:tx><c:rich><a:p><a:r><a:t>Sales</a:t></a:r></a:p></c:rich></c:tx></c:title>
      <c:ser><c:tx><c:v>North</c:v></c:tx><c:cat><c:pt><c:v>Q1</c:v></c:pt><c:pt><c:v>Q2</c:v></c:pt></c:cat>
      <c:val><c:pt><c:v>5</c:v></c:pt><c:pt><c:v>7</c:v></c:pt></c:val></c:ser></c:chartSpace>`,
  };
  const chunks = ['a.html', 'b.mht', 'c.txt', 'd.docx', 'e.rtf'].map((name, index) => `k${index} aFChunk ${name}`);
  const body = `${chunks.map((_, index) => `<w:altChunk r:id="k${index}"/>`).join('')}<w:p><w:r><w:drawing><c:chart r:id="k9"/></w:drawing></w:r></w:p>`;
  const upload = docxOf(body, {}, { related: [...chunks, 'k9 chart f.xml'], files });
  assert.deepEqual(await outline(t, upload), [
    [[], 'Page\n\n10⁶ m, CO₂\n\nCafé\n\nPlain.'],
    [['Inner.'], 'Under it.\n\nSales\n\nNorth: Q1: 5; Q2: 7'],
  ]);
  assert.deepEqual(await notesOf(t, upload), [
    'The part word/e.rtf was not read: It is RTF. Save the document again in Word, which takes it in.',
  ]);
});

test('DOCX: what is not read is named', async (t) => {
  const object =
    '<w:object><v:shape><v:imagedata r:id="i"/></v:shape><o:OLEObject ProgID="Excel.Sheet.12" r:id="o"/></w:object>';
  const body = `<w:p><w:r>${object}</w:r>${symbol('Odd', 'F041')}<w:r><w:pict><v:imagedata r:id="p"/></w:pict></w:r></w:p>${item('x', 1)}`;
  const numbering = list(1, level(0, 'thaiLetters', '%1.')) + uses(1, 1);
  const upload = docxOf(body, { numbering, comments: '<broken' }, { related: ['o package embeddings/Book1.xlsx'] });
  assert.deepEqual(
    (await notesOf(t, upload)).map((note) => note.replace(/damaged: .*/, 'damaged')),
    [
      'The part word/comments.xml was not read: word/comments.xml in the DOCX is damaged',
      'Embedded objects were not read: Excel.Sheet.12 (word/embeddings/Book1.xlsx). Upload them as files of their own.',
      'Text in pictures was not read: the document has 1.',
      'Symbols without a character are named in the text: [symbol F041 of Odd].',
      'Numbers of lists in thaiLetters are given as decimals.',
    ],
  );
});

async function textOf(t: TestContext, body: string): Promise<string> {
  return (await outline(t, docxOf(body))).map(([, text]) => text).join('\n\n');
}

async function notesOf(t: TestContext, upload: Buffer): Promise<string[]> {
  return (await docx.prepare(fileOf(t, upload), OPTIONS)).notes as string[];
}
