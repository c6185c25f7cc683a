import assert from 'node:assert/strict';
import { test } from 'node:test';
import { begin, call, delta, end, ending, START, STOP, text, told } from './events.ts';

/* Invalid events of the Messages API, and error events. */

const MALFORMED: Record<string, (object | string)[]> = {
  'no JSON': ['event: message_start\ndata: {"type"\n\n'],
  'no object': ['data: null\n\n'],
  'a start without a message': [{ type: 'message_start' }],
  'an ending without a delta': [{ type: 'message_delta' }],
  'a block without a block': [{ type: 'content_block_start', index: 0 }],
  'a text that is none': [begin(0, { type: 'text', text: '' }), delta(0, { type: 'text_delta', text: 5 })],
  'a thought that is none': [begin(0, { type: 'thinking', thinking: '' }), delta(0, { type: 'thinking_delta' })],
  'arguments of no call': [delta(3, { type: 'input_json_delta', partial_json: '{}' })],
  'arguments that are no text': [...call(0, 'a').slice(0, 1), delta(0, { type: 'input_json_delta', partial_json: {} })],
  'a call without a name': [begin(0, { type: 'tool_use', id: 'a' }), end(0)],
  'the end of no block': [end(4)],
};

for (const [what, events] of Object.entries(MALFORMED)) {
  test(`anthropic: ${what} is broken`, async () => {
    const { fault, text: said } = await told([START, ...text(9, 'Olá'), ...events, ending('end_turn'), STOP]);
    assert.equal(fault?.kind, 'broken');
    assert.equal(said, 'Olá');
  });
}

const ERRORS: [string, string, number | null][] = [
  ['invalid_request_error', 'refused', 400],
  ['authentication_error', 'credential', 401],
  ['permission_error', 'credential', 403],
  ['not_found_error', 'refused', 404],
  ['rate_limit_error', 'rate_limited', 429],
  ['api_error', 'unavailable', 500],
  ['overloaded_error', 'unavailable', 529],
  ['of_the_future', 'unavailable', null],
];

for (const [type, kind, status] of ERRORS) {
  test(`anthropic: the error ${type} within the stream is ${kind}`, async () => {
    const { fault } = await told([START, { type: 'error', error: { type, message: 'As it\n is.' } }]);
    assert.deepEqual(
      { kind: fault?.kind, status: fault?.status, message: fault?.message },
      { kind, status, message: 'As it is.' },
    );
  });
}
