import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ChatMessage, conversationProblems, readDataUrl } from '../../../../src/core/agents/chat/message.ts';

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
