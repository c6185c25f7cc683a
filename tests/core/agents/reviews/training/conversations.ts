import fc from 'fast-check';
import type { ChatMessage, ContentPart } from '../../../../../src/core/agents/chat/message.ts';
import type { Conversation, ReviewedAnswer } from '../../../../../src/core/agents/reviews/training/shape.ts';
import { RATINGS } from '../../../../../src/core/base/shared/review-fields.ts';

type Call = Record<string, unknown>;

const text = fc.string({ unit: 'grapheme', maxLength: 20 });
const textPart = fc.record({ type: fc.constant('text' as const), text });
const name = { name: fc.option(text, { nil: undefined }) };

const image = (url: string): fc.Arbitrary<ContentPart> =>
  fc.record({
    type: fc.constant('image_url' as const),
    image_url: fc.constantFrom({ url }, { url, detail: 'low' as const }),
  });
const file: ContentPart = { type: 'file', file: { filename: 'a.pdf', file_data: 'JVBERg==' } };
const anyPart: fc.Arbitrary<ContentPart> = fc.oneof(
  textPart,
  image('https://example.com/a.png'),
  image('data:image/jpeg;base64,/9j/'),
  image('data:image/gif;base64,R0lGOD'),
  image('ftp://example.com/a.png'),
  fc.constant(file),
);

const plainContent = fc.oneof(text, fc.array(textPart, { minLength: 1, maxLength: 3 }));
const anyContent = fc.oneof(plainContent, fc.array(anyPart, { minLength: 1, maxLength: 12 }));

const argumentsText = fc.oneof(
  fc.jsonValue().map((value) => JSON.stringify({ value })),
  fc.constantFrom(
    '',
    '[1]',
    'null',
    '{"open":',
    '{"n":12345678901234567890}',
    `{"a":${'['.repeat(99)}${']'.repeat(99)}}`,
  ),
);

const functionCall = (id: string, called: unknown): Call => ({ id, type: 'function', function: called });
const brokenCall = fc.constantFrom<Call>(
  {},
  { id: 'a', name: 'find', args: {} },
  functionCall('a', null),
  functionCall('a', { name: 'find' }),
  functionCall('a', { name: 'find', arguments: {} }),
  { id: 'a', type: 'custom', custom: { name: 'find', input: '' } },
);
const anyCall = fc.oneof(
  {
    weight: 9,
    arbitrary: fc
      .tuple(fc.constantFrom('a', 'b', 'c'), argumentsText)
      .map(([id, value]) => functionCall(id, { name: 'find', arguments: value, index: 0 })),
  },
  { weight: 1, arbitrary: brokenCall },
);

const calling = (
  calls: fc.Arbitrary<Call[]>,
  content: fc.Arbitrary<ChatMessage['content']>,
): fc.Arbitrary<ChatMessage> =>
  fc.record({
    role: fc.constant('assistant' as const),
    content: fc.option(content, { nil: null }),
    tool_calls: calls,
    ...name,
  });
const answering = (
  id: fc.Arbitrary<string | undefined>,
  content: fc.Arbitrary<ChatMessage['content']>,
): fc.Arbitrary<ChatMessage> => fc.record({ role: fc.constant('tool' as const), content, tool_call_id: id, ...name });
const speaking = (
  role: ChatMessage['role'],
  content: fc.Arbitrary<ChatMessage['content']>,
): fc.Arbitrary<ChatMessage> => fc.record({ role: fc.constant(role), content, ...name });

/** Calls, each answered once, in any order. */
const exchange: fc.Arbitrary<ChatMessage[]> = fc
  .tuple(
    fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { minLength: 1 }),
    fc.dictionary(text, fc.oneof(text, fc.integer())),
  )
  .chain(([ids, value]) =>
    fc.tuple(
      calling(
        fc.constant(ids.map((id) => functionCall(id, { name: 'find', arguments: JSON.stringify(value) }))),
        plainContent,
      ),
      fc
        .shuffledSubarray(ids, { minLength: ids.length })
        .chain((order) => fc.tuple(...order.map((id) => answering(fc.constant(id), plainContent)))),
    ),
  )
  .map(([call, answers]) => [call, ...answers]);

const plainTurns: fc.Arbitrary<ChatMessage[]> = fc.oneof(
  fc.tuple(speaking('user', plainContent)),
  fc.tuple(speaking('system', plainContent)),
  fc.tuple(speaking('assistant', plainContent)),
  exchange,
);

const anyTurns: fc.Arbitrary<ChatMessage[]> = fc.oneof(
  { weight: 6, arbitrary: plainTurns },
  { weight: 2, arbitrary: fc.tuple(speaking('user', anyContent)) },
  {
    weight: 1,
    arbitrary: fc.tuple(
      fc.constantFrom('system', 'assistant', 'tool').chain((role) => speaking(role as ChatMessage['role'], anyContent)),
    ),
  },
  { weight: 1, arbitrary: fc.tuple(calling(fc.array(anyCall, { minLength: 1, maxLength: 3 }), anyContent)) },
  { weight: 1, arbitrary: fc.tuple(answering(fc.constantFrom('a', 'b', undefined), anyContent)) },
);

const joined = (turns: fc.Arbitrary<ChatMessage[]>) => fc.array(turns, { maxLength: 5 }).map((list) => list.flat());

export const anyConversation: fc.Arbitrary<Conversation> = fc.record({
  messages: joined(anyTurns),
  output: fc.oneof(text, fc.jsonValue(), fc.constantFrom(null, undefined)),
});

export const plainConversation: fc.Arbitrary<Conversation> = fc
  .tuple(joined(plainTurns), fc.oneof(fc.tuple(speaking('user', plainContent)), exchange), text, fc.boolean())
  .map(([history, question, output, asTurn]) => ({
    messages: [...history, ...question, ...(asTurn ? [{ role: 'assistant' as const, content: output }] : [])],
    output: asTurn ? null : output,
  }));

export const reviewOf = (conversation: fc.Arbitrary<Conversation | null>): fc.Arbitrary<ReviewedAnswer> =>
  fc.record({
    reviewId: fc.constant('review'),
    executionId: fc.constant('execution'),
    rating: fc.constantFrom(...RATINGS),
    correctedOutput: fc.option(text, { nil: null }),
    conversation,
  });
