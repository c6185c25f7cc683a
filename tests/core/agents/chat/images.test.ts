import assert from 'node:assert/strict';
import { test } from 'node:test';
import { capabilitiesOf } from '../../../../src/core/agents/chat/capabilities.ts';
import { inlineImages, type LoadImage } from '../../../../src/core/agents/chat/images.ts';
import type { Connection } from '../../../../src/core/agents/chat/provider.ts';
import type { ChatRequest } from '../../../../src/core/agents/chat/schema.ts';
import { RuntimeError } from '../../../../src/core/base/shared/errors.ts';

const MEGABYTE = 1024 * 1024;
const CONNECTION: Connection = {
  provider: 'custom',
  baseUrl: 'http://127.0.0.1:11434/v1',
  apiKey: null,
  headers: {},
  region: null,
  allowPrivateNetwork: true,
  allowPrivateImages: false,
};

function inline(urls: string[], load: LoadImage, hold: (bytes: number) => void = () => undefined) {
  const content = urls.map((url) => ({ type: 'image_url' as const, image_url: { url } }));
  const request: ChatRequest = {
    projectId: 'p',
    provider: 'custom',
    model: 'm',
    messages: [
      { role: 'system', content: 'Look.' },
      { role: 'user', content },
    ],
  };
  const capabilities = capabilitiesOf({ provider: 'custom', model: 'm', legacy: false });
  const { signal } = new AbortController();
  return inlineImages(request, capabilities, CONNECTION, { load, reserve: hold, signal });
}

/** Loads so many bytes from any address, in parts of a megabyte. */
function loading(bytes: number): LoadImage {
  return async (_url, { admit }) => {
    for (let part = 0; part < bytes; part += MEGABYTE) admit(Math.min(MEGABYTE, bytes - part));
    return { contentType: 'image/png', bytes: Buffer.alloc(8) };
  };
}

test('inlineImages: images are loaded in order, under the policy for callers', async () => {
  const asked: object[] = [];
  const data = 'data:image/gif;base64,AAAA';
  const { messages } = await inline(['https://example.com/a.png', data], async (url, { allowPrivateNetwork }) => {
    asked.push({ url, allowPrivateNetwork });
    return { contentType: 'image/png', bytes: Buffer.from('hi') };
  });
  assert.deepEqual(asked, [{ url: 'https://example.com/a.png', allowPrivateNetwork: false }]);
  assert.deepEqual(messages[1]!.content, [
    { type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=' } },
    { type: 'image_url', image_url: { url: data } },
  ]);
});

test('inlineImages: all images of a request together have the limit of a request', async () => {
  const urls = ['https://example.com/a', 'https://example.com/b', 'https://example.com/c'];
  let held = 0;
  const hold = (bytes: number) => {
    held += bytes;
  };
  await inline(urls.slice(0, 2), loading(10 * MEGABYTE), hold);
  assert.equal(held, 20 * MEGABYTE);
  await assert.rejects(inline(urls, loading(10 * MEGABYTE)), {
    code: 'invalid',
    message: 'messages[1].content[2].image_url.url: makes more than 20971520 bytes of images together',
  });
});

test('inlineImages: an exhausted memory budget is not the fault of the request', async () => {
  const hold = () => {
    throw new RuntimeError('unavailable', 'No room.');
  };
  await assert.rejects(inline(['https://example.com/a'], loading(1), hold), { code: 'unavailable' });
});

test('inlineImages: an image that fails to load is named by its path', async () => {
  const load = async () => {
    throw new Error('example.com answered with status 404');
  };
  await assert.rejects(inline(['https://example.com/a'], load), {
    code: 'invalid',
    message: 'messages[1].content[0].image_url.url: example.com answered with status 404',
  });
});
