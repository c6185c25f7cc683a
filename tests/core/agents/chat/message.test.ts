import assert from 'node:assert/strict';
import { test } from 'node:test';
import { capabilitiesOf } from '../../../../src/core/agents/chat/capabilities.ts';
import { inlineImages, type LoadImage } from '../../../../src/core/agents/chat/images.ts';
import { type ChatMessage, conversationProblems, readDataUrl } from '../../../../src/core/agents/chat/message.ts';
import type { Connection } from '../../../../src/core/agents/chat/provider.ts';
import { type ChatRequest, chatRequestSchema } from '../../../../src/core/agents/chat/schema.ts';
import { RuntimeError } from '../../../../src/core/base/shared/errors.ts';
import { parse } from '../../../../src/core/base/shared/parse.ts';

const call = (id: string) => ({ id, type: 'function', function: { name: 'find_order', arguments: '{}' } });
const asks = (...ids: string[]): ChatMessage => ({ role: 'assistant', content: null, tool_calls: ids.map(call) });
const answers = (id: string): ChatMessage => ({ role: 'tool', tool_call_id: id, content: 'found' });
const user = (content: ChatMessage['content']): ChatMessage => ({ role: 'user', content });

test('conversationProblems: a conversation that answers each call once is valid', () => {
  assert.deepEqual(conversationProblems([user('hi'), asks('a', 'b'), answers('b'), answers('a'), user('thanks')]), []);
});

test('conversationProblems: results without a call and unanswered calls are named', () => {
  assert.deepEqual(conversationProblems([user('hi'), answers('a')]), [
    'messages[1].tool_call_id: answers no call of the assistant message before it',
  ]);
  assert.deepEqual(conversationProblems([asks('a', 'b'), answers('a'), user('and?')]), [
    'messages[0].tool_calls[1]: is not answered by a tool message that follows it',
  ]);
  assert.deepEqual(conversationProblems([asks('a')]), [
    'messages[0].tool_calls[0]: is not answered by a tool message that follows it',
  ]);
  assert.deepEqual(conversationProblems([asks('a'), answers('a'), answers('a')]), [
    'messages[2].tool_call_id: answers no call of the assistant message before it',
  ]);
});

test('conversationProblems: a tool message needs a call id, a call a function', () => {
  assert.deepEqual(conversationProblems([{ role: 'tool', content: 'found' }]), [
    'messages[0].tool_call_id: is required on tool messages',
  ]);
  assert.deepEqual(
    conversationProblems([{ role: 'assistant', content: null, tool_calls: [{ id: 'a', type: 'function' }] }]),
    ['messages[0].tool_calls[0]: must be {id, type: "function", function: {name, arguments}}, arguments being text'],
  );
  assert.deepEqual(conversationProblems([asks('a', 'a'), answers('a')]), [
    'messages[0].tool_calls[1].id: is the same as that of another call',
  ]);
});

test('conversationProblems: invalid images and files are named', () => {
  const image = (url: string) => user([{ type: 'image_url', image_url: { url } }]);
  const file = (data: string) => user([{ type: 'file', file: { filename: 'a.pdf', file_data: data } }]);
  const sound = [image('https://example.com/a.png'), image('data:image/png;base64,AAAA'), file('AAAA')];
  assert.deepEqual(conversationProblems([...sound, file('data:application/pdf;base64,AAA=')]), []);
  for (const url of [
    'ftp://example.com/a.png',
    'file:///etc/passwd',
    'https://me:secret@example.com/a.png',
    'data:image/png;base64,not base64',
    'data:text/html;base64,AAAA',
    'data:image/png,AAAA',
    'nonsense',
  ]) {
    assert.match(
      conversationProblems([image(url)])[0] ?? '',
      /^messages\[0\]\.content\[0\]\.image_url\.url: must be /,
      url,
    );
  }
  assert.match(conversationProblems([file('no base64!')])[0] ?? '', /^messages\[0\]\.content\[0\]\.file\.file_data: /);
});

test('conversationProblems: images belong to user messages only', () => {
  const message: ChatMessage = {
    role: 'system',
    content: [{ type: 'image_url', image_url: { url: 'https://example.com/a.png' } }],
  };
  assert.deepEqual(conversationProblems([message]), [
    'messages[0].content[0]: only user messages may have images and files',
  ]);
});

test('readDataUrl: a URL with parameters or without a type is read', () => {
  assert.deepEqual(readDataUrl('data:text/plain;charset=utf-8;base64,AAAA'), {
    mediaType: 'text/plain',
    base64: 'AAAA',
  });
  assert.deepEqual(readDataUrl('data:;base64,AAAA'), { mediaType: 'application/octet-stream', base64: 'AAAA' });
  assert.equal(readDataUrl('data:image/png;base64,'), null);
});

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

const ASKED = { projectId: 'p', provider: 'openai', model: 'gpt-5', messages: [{ role: 'user', content: 'hi' }] };

test('chatRequestSchema: duplicate server tools are removed', () => {
  const serverTools = ['web_search', 'code_execution', 'web_search'];
  assert.deepEqual(parse(chatRequestSchema, { ...ASKED, serverTools }).serverTools, ['web_search', 'code_execution']);
});

test('chatRequestSchema: an empty optional text counts as missing', () => {
  assert.equal(parse(chatRequestSchema, { ...ASKED, instructions: '' }).instructions, undefined);
  assert.equal(parse(chatRequestSchema, { ...ASKED, instructions: ' ' }).instructions, ' ');
});
