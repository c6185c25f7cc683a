import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SaxesParser } from 'saxes';
import { pngOf } from '../../../../src/pictures/entry.ts';
import { sizeOf, withoutText } from '../../../pictures/support.ts';
import { assertError, assertNames, CARDS, newDesk, sharedApp } from './support.ts';

const [SVG, PNG] = ['image/svg+xml', 'image/png'];
const CSP = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

interface Picture {
  status: number;
  headers: Headers;
  bytes: Buffer;
  text: string;
}

/** Sends a request, with POST if it has a body; the answer as bytes and text. */
async function picture(key: string, path: string, accept: string, body?: object): Promise<Picture> {
  const { url } = await sharedApp();
  const sent = body && { method: 'POST', body: JSON.stringify(body) };
  const headers = { 'x-api-key': key, accept, 'content-type': 'application/json' };
  const response = await fetch(`${url}${path}`, { ...sent, headers });
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, bytes, text: bytes.toString('utf8') };
}

async function deskWithCard(title = 'Orders') {
  const desk = await newDesk();
  const { id } = await desk.card({ title });
  const path = `${CARDS}/${id}/render`;
  return { desk, path, draw: (accept: string, query = '') => picture(desk.key, `${path}${query}`, accept) };
}

function assertXml(text: string): void {
  const parser = new SaxesParser();
  parser.on('error', (error) => assert.fail(error));
  parser.write(text).close();
}

test('GET render: an SVG is well-formed, in the requested size and theme', async () => {
  const { draw } = await deskWithCard();
  const usual = await draw(SVG);
  assert.equal(usual.status, 200);
  assert.equal(usual.headers.get('content-type'), 'image/svg+xml; charset=utf-8');
  assertXml(usual.text);
  assert.match(usual.text, /^<svg [^>]*width="640" height="360"/);
  assert.match((await draw(SVG, '?width=1600&height=1200')).text, /^<svg [^>]*width="1600" height="1200"/);
  assert.notEqual((await draw(SVG, '?theme=dark')).text, usual.text);
  assert.equal((await draw(SVG, '?theme=light&scale=2')).text, usual.text);
});

test('GET render: a PNG has the requested scale, and its text is drawn', async () => {
  const { draw } = await deskWithCard();
  const [once, twice, dark] = await Promise.all([draw(PNG), draw(PNG, '?scale=2'), draw(PNG, '?theme=dark')]);
  assert.deepEqual([once.status, once.headers.get('content-type')], [200, PNG]);
  assert.deepEqual(
    [sizeOf(once.bytes), sizeOf(twice.bytes)],
    [
      [640, 360],
      [1_280, 720],
    ],
  );
  assert.notDeepEqual(dark.bytes, once.bytes);
  const { text } = await draw(SVG);
  assert.deepEqual(once.bytes, Buffer.from(pngOf({ svg: text, scale: 1 })), 'the same picture as the SVG');
  assert.notDeepEqual(once.bytes, Buffer.from(pngOf({ svg: withoutText(text), scale: 1 })), 'its text is drawn');
});

test('GET render: a picture is sandboxed as a document, and is not cached', async () => {
  const { draw, path, desk } = await deskWithCard();
  for (const accept of [SVG, PNG]) {
    const { headers } = await draw(accept);
    assert.equal(headers.get('content-security-policy'), CSP, accept);
    assert.equal(headers.get('x-content-type-options'), 'nosniff', accept);
    assert.equal(headers.get('cache-control'), 'no-store', accept);
    assert.equal(headers.get('vary'), 'Accept', accept);
  }
  const data = await desk.request('GET', path);
  assert.equal(data.headers.get('vary'), 'Accept');
  const { url } = await sharedApp();
  const head = await fetch(`${url}${path}`, { method: 'HEAD', headers: { 'x-api-key': desk.key, accept: PNG } });
  assert.deepEqual([head.status, head.headers.get('content-type')], [200, PNG]);
  assert.equal((await head.arrayBuffer()).byteLength, 0);
});

test('GET render: Accept chooses JSON, SVG or PNG; other types are 406', async () => {
  const { draw, desk, path } = await deskWithCard();
  const typeOf = async (accept: string) => (await draw(accept)).headers.get('content-type')!.split(';', 1)[0];
  for (const accept of ['*/*', 'application/json', 'text/html,image/avif,*/*;q=0.8', 'image/png;q=0.5, */*']) {
    assert.equal(await typeOf(accept), 'application/json', accept);
  }
  assert.equal(await typeOf('image/avif,image/webp,image/png,image/*;q=0.8,*/*;q=0.5'), PNG);
  assert.equal(await typeOf('image/*'), SVG);
  assert.equal(await typeOf('application/json; charset=utf-8'), 'application/json');
  assert.equal(await typeOf('image/svg+xml;charset=UTF-8'), SVG);
  for (const accept of ['image/webp', 'text/html', 'application/pdf']) {
    assertError(await desk.request('GET', path, undefined, { accept }), 406, 'Not Acceptable');
  }
});

test('GET render: hostile titles stay text, and cannot break the file name', async () => {
  for (const [title, name] of [
    ['<img src=x onerror=alert(1)>', '-img src-x onerror-alert-1-'],
    ['a"; filename="evil.html', 'a- filename-evil-html'],
    ['../../etc/passwd', '-etc-passwd'],
    ['Receita às terças', 'Receita as tercas'],
    ['売上 😀', 'card'],
    ['‮gpj.exe', '-gpj-exe'],
    ['x'.repeat(200), 'x'.repeat(200)],
  ] as const) {
    const { draw } = await deskWithCard(title);
    const [svg, png] = [await draw(SVG), await draw(PNG)];
    assertXml(svg.text);
    assert.doesNotMatch(svg.text, /<img|<script|<foreignObject/i, title);
    assert.deepEqual(sizeOf(png.bytes), [640, 360], title);
    const disposition = png.headers.get('content-disposition')!;
    const [, plain, encoded] = /^inline; filename="([\w -]+)\.png"; filename\*=UTF-8''([\w%.~!$&+-]+)\.png$/.exec(
      disposition,
    )!;
    assert.equal(plain, name);
    assert.equal(decodeURIComponent(encoded!), title.replaceAll('/', '-').replace(/^\.|\u202e/, '-'));
  }
});

test('GET render: a 400 names each wrong query parameter', async () => {
  const { desk, path } = await deskWithCard();
  const wrong: [query: string, ...names: string[]][] = [
    ['width=1601&height=199', 'width', 'height'],
    ['locale=en_US', 'locale'],
    ['dateFrom=whenever', 'dateFrom'],
    ['timezone=Nowhere', 'timezone'],
    ['dateFrom=-1d&dateTo=-2d', 'dateTo'],
  ];
  for (const [query, ...names] of wrong) {
    for (const accept of ['application/json', SVG, PNG]) {
      assertNames(await desk.request('GET', `${path}?${query}`, undefined, { accept }), ...names);
    }
  }
  for (const locale of ['pt-BR', 'de-CH', 'ar', 'zh-Hans-CN', 'en-u-nu-deva']) {
    assert.equal((await desk.request('GET', `${path}?locale=${locale}`)).status, 200, locale);
  }
});

test('POST preview: a picture is the same as that of the saved card', async () => {
  const { desk, draw } = await deskWithCard('Orders');
  const body = { title: 'Orders', cardType: 'number', config: { eventName: 'order', aggregation: 'count' } };
  for (const accept of [SVG, PNG]) {
    const drawn = await picture(desk.key, `${CARDS}/preview?width=700`, accept, body);
    assert.equal(drawn.status, 200, drawn.text);
    assert.equal(drawn.headers.get('content-security-policy'), CSP);
    assert.deepEqual(drawn.bytes, (await draw(accept, '?width=700')).bytes);
  }
});

test('GET render: 503 with Retry-After while too many pictures wait', async () => {
  const { runtime, tenantId } = await sharedApp();
  const { desk, path } = await deskWithCard();
  const rendered = await runtime.dashboards.render(
    (await sharedApp()).caller,
    path.split('/').at(-2)!,
    'dashboards:read',
  );
  const large = { width: 1_600, height: 1_200, scale: 2, theme: 'dark' as const, locale: 'en', tenantId };
  const refused = async (round: number) => {
    const controller = new AbortController();
    const busy = Array.from({ length: 18 }, (_, index) =>
      runtime.pictures.png(
        { ...rendered, card: { ...rendered.card, title: `${round} ${index}` } },
        large,
        controller.signal,
      ),
    );
    const ended = Promise.allSettled(busy);
    const answer = await picture(desk.key, `${path}?width=${700 + round}`, PNG);
    controller.abort();
    await ended;
    return answer.status === 503 ? answer : null;
  };
  let answer: Picture | null = null;
  for (let round = 0; answer === null && round < 20; round++) answer = await refused(round);
  assert.equal(answer?.headers.get('retry-after'), '1');
  assert.match(answer!.text, /Too many pictures are being drawn/);
  assert.equal((await picture(desk.key, path, PNG)).status, 200);
});
