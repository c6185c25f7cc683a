import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChatEvent, ToolCall } from '../../clients/typescript/src/chat.ts';
import {
  begun,
  brokenOff,
  type Conversation,
  edited,
  heard,
  isDue,
  isRunning,
  newConversation,
  recordedAs,
  restored,
  roundsAt,
  sent,
  withCost,
  withoutSide,
  withResult,
  withSide,
} from '../../portal/src/pages/chat/state/conversation.ts';
import { countSet, membersOf, NO_PARAMETERS, problemsOf } from '../../portal/src/pages/chat/state/parameters.ts';
import { askedOf, messagesBefore } from '../../portal/src/pages/chat/state/request.ts';
import { settingsOf } from '../../portal/src/pages/chat/state/settings.ts';
import { type Side, type Source, sourcesOf, takenBy } from '../../portal/src/pages/chat/state/sides.ts';
import { NO_TOOLS } from '../../portal/src/pages/chat/state/tools/form.ts';
import { chatRequestSchema } from '../../src/core/agents/chat/schema.ts';

const LOCAL: Side = { vendor: 'custom', name: 'local', model: 'llama3.2' };
const CLAUDE: Side = { vendor: 'anthropic', name: null, model: 'claude-opus-4-8' };
const SOURCES: Source[] = [
  { vendor: 'custom', name: 'local', label: 'local', testModel: null, isPrivate: true, overrides: { seed: false } },
  { vendor: 'anthropic', name: null, label: 'Anthropic', testModel: null, isPrivate: false, overrides: {} },
];
const FIRST = { exchange: 0, side: 0 };
const CALL: ToolCall = { id: 'c1', type: 'function', function: { name: 'find_order', arguments: '{"number":"42"}' } };
const DONE: ChatEvent = {
  ...{ type: 'done', finishReason: 'stop', executionId: 'run-1' },
  ...{ provider: 'custom', providerName: 'local', model: 'llama3.2' },
};

function said(conversation: Conversation, text: string): Conversation {
  return sent({ ...conversation, composed: { ...conversation.composed, text } });
}

const asked = (conversation: Conversation, place = FIRST) =>
  begun(conversation, place, askedOf(conversation, SOURCES, place.side));

function hears(conversation: Conversation, place: typeof FIRST, ...events: ChatEvent[]): Conversation {
  return events.reduce((before, event, index) => heard(before, place, event, 10 * (index + 1)), conversation);
}

const begin = (...sides: Side[]) => asked(said(newConversation('t1', sides), ' Hello '));

test('Chat: an answer gathers its events, and times its first content', () => {
  const usage = { inputTokens: 12, outputTokens: 5, cachedInputTokens: 4 };
  const conversation = hears(
    recordedAs(begin(LOCAL), FIRST, 'run-1'),
    FIRST,
    { type: 'warning', message: 'dropped', droppedParams: ['seed'] },
    { type: 'reasoning', text: 'Hm.' },
    { type: 'text', text: 'Olá ' },
    { type: 'text', text: 'mundo' },
    { type: 'warning', message: 'A word.' },
    { type: 'usage', usage },
    DONE,
  );
  const [round] = roundsAt(withCost(conversation, FIRST, 'run-1', 0.25), FIRST);
  const { asked: _, ...rest } = round!;
  assert.deepEqual(rest, {
    ...{ status: 'done', text: 'Olá mundo', reasoning: 'Hm.', calls: [], results: [], executionId: 'run-1' },
    ...{ answeredBy: LOCAL, finishReason: 'stop', usage, cost: 0.25, warnings: ['A word.'], dropped: ['seed'] },
    ...{ firstMs: 20, totalMs: 70, fault: null },
  });
  assert.equal(isRunning(conversation), false);
});

test('Chat: a stopped answer stays, and a failed one leaves the other side', () => {
  let conversation = asked(begin(LOCAL, CLAUDE), { exchange: 0, side: 1 });
  conversation = hears(conversation, FIRST, { type: 'text', text: 'Half an' });
  conversation = brokenOff(conversation, { exchange: 0, side: 1 }, 'No such model.', 5);
  assert.equal(isRunning(conversation), true);
  conversation = brokenOff(conversation, FIRST, null, 30);
  const rounds = conversation.exchanges[0]!.answers.map(([round]) => [round?.status, round?.text, round?.fault]);
  assert.deepEqual(rounds, [
    ['stopped', 'Half an', null],
    ['failed', '', 'No such model.'],
  ]);
  assert.equal(isRunning(conversation), false);
  // Asked again, the failed round makes room.
  const again = asked(conversation, { exchange: 0, side: 1 });
  assert.deepEqual(
    roundsAt(again, { exchange: 0, side: 1 }).map(({ status }) => status),
    ['running'],
  );
});

test('Chat: a model is due once all its calls have results, which the next request has', () => {
  const other = { ...CALL, id: 'c2' };
  let conversation = hears(begin(LOCAL), FIRST, { type: 'tool_call', call: CALL }, { type: 'tool_call', call: other });
  assert.equal(isDue(roundsAt(conversation, FIRST)[0]), false);
  conversation = withResult(withResult(hears(conversation, FIRST, DONE), FIRST, 0, 'sent'), FIRST, 1, '');
  const rounds = roundsAt(conversation, FIRST);
  assert.equal(isDue(rounds[0]), true);
  const messages = messagesBefore(conversation, FIRST, rounds);
  assert.deepEqual(messages, [
    { role: 'user', content: 'Hello' },
    { role: 'assistant', content: null, tool_calls: [CALL, other] },
    { role: 'tool', tool_call_id: 'c1', name: 'find_order', content: 'sent' },
    { role: 'tool', tool_call_id: 'c2', name: 'find_order', content: '' },
  ]);
  assert.ok(chatRequestSchema.safeParse({ ...rounds[0]!.asked, messages }).success);
  const next = asked(conversation);
  assert.deepEqual(
    roundsAt(next, FIRST).map(({ status }) => status),
    ['done', 'running'],
  );
});

test('Chat: calls that were left without results are not repeated', () => {
  const left = hears(begin(LOCAL), FIRST, { type: 'text', text: 'Look:' }, { type: 'tool_call', call: CALL }, DONE);
  const second = said(left, 'Never mind.');
  assert.deepEqual(messagesBefore(second, { exchange: 1, side: 0 }, []), [
    { role: 'user', content: 'Hello' },
    { role: 'assistant', content: 'Look:' },
    { role: 'user', content: 'Never mind.' },
  ]);
});

test('Chat: a side that comes later continues the first one, and may leave', () => {
  const first = hears(begin(LOCAL), FIRST, { type: 'text', text: 'Olá' }, DONE);
  const second = said(withSide(first, CLAUDE), 'And now?');
  assert.equal(second.exchanges[1]!.answers.length, 2);
  const messages = messagesBefore(second, { exchange: 1, side: 1 }, []);
  assert.deepEqual(
    messages.map(({ content }) => content),
    ['Hello', 'Olá', 'And now?'],
  );
  const without = withoutSide(second, 0);
  assert.deepEqual(without.sides, [CLAUDE]);
  assert.deepEqual(
    without.exchanges.map(({ answers }) => answers.length),
    [1, 1],
  );
});

test('Chat: an edited message replaces what followed', () => {
  const first = hears(begin(LOCAL), FIRST, DONE);
  const second = edited(said(first, 'Second'), 0);
  assert.deepEqual(second.composed, { text: 'Hello', parts: [], replaces: 0 });
  assert.equal(second.exchanges.length, 2);
  const again = said(second, 'Hello again');
  assert.deepEqual(
    again.exchanges.map(({ text }) => text),
    ['Hello again'],
  );
  assert.equal(again.composed.text, '');
});

test('Chat: a kept conversation has no running answer', () => {
  const kept = restored(JSON.parse(JSON.stringify(hears(begin(LOCAL), FIRST, { type: 'text', text: 'Ha' }))));
  assert.deepEqual([isRunning(kept), roundsAt(kept, FIRST)[0]!.status], [false, 'stopped']);
  const next = newConversation('t2', kept.sides, { ...kept, instructions: 'Be kind.' });
  assert.deepEqual([next.exchanges.length, next.instructions], [0, 'Be kind.']);
});

test('Chat parameters: those that no model takes are not sent', () => {
  const form = {
    ...NO_PARAMETERS,
    ...{ temperature: '0,5', seed: '7', maxTokens: '100', stop: 'END\n\n---', thinking: 'enabled' as const },
    ...{ budgetTokens: '2000', format: 'json_schema' as const, schema: '{"type":"object"}', web_search: true },
  };
  const local = takenBy(SOURCES, LOCAL, false);
  const claude = takenBy(SOURCES, CLAUDE, false);
  assert.deepEqual(membersOf(form, [local]), {
    ...{ temperature: 0.5, maxTokens: 100, stop: ['END', '---'] },
    thinking: { type: 'enabled', budgetTokens: 2000 },
    responseFormat: { type: 'json_schema', json_schema: { name: 'answer', schema: { type: 'object' } } },
  });
  const { temperature, serverTools } = membersOf(form, [claude]);
  assert.deepEqual([temperature, serverTools], [undefined, ['web_search']]);
  assert.equal(membersOf(form, [local, claude]).temperature, 0.5);
  assert.deepEqual(problemsOf(form), {});
  assert.equal(countSet(form), 9);
});

test('Chat parameters: what is out of its range says so at its field', () => {
  const form = { ...NO_PARAMETERS, temperature: '3', topP: 'much', maxTokens: '1.5', format: 'json_schema' as const };
  assert.deepEqual(problemsOf(form), {
    ...{ temperature: 'Write a number from 0 to 2.', topP: 'Write a number.', maxTokens: 'Write a whole number.' },
    schema: 'Write a JSON Schema: an object.',
  });
  const conversation = { ...newConversation('t1', [LOCAL]), parameters: form };
  assert.match(settingsOf(conversation).problem ?? '', /^Some parameters or tools cannot be sent/);
  assert.equal(settingsOf(newConversation('t1', [LOCAL])).problem, null);
});

test('Chat: only configured providers can be asked, the own ones first', () => {
  const vendor = { variables: [], providerNames: [], testModel: 'm', variable: 'X' };
  const definition = { name: 'local', provider: 'custom', allowPrivateNetwork: true, capabilities: { files: false } };
  const sources = sourcesOf({
    vendors: [
      { ...vendor, provider: 'openai', key: 'environment', problem: null },
      { ...vendor, provider: 'groq', key: 'environment', problem: 'it is empty' },
      { ...vendor, provider: 'custom', key: 'stored', problem: null },
    ],
    providers: [{ definition, testModel: null }],
  } as never);
  assert.deepEqual(
    sources.map(({ vendor: of, name, testModel }) => [of, name, testModel]),
    [
      ['custom', 'local', null],
      ['openai', null, 'm'],
    ],
  );
  const { images, files } = takenBy(sources, LOCAL, false);
  assert.deepEqual([images, files], ['inline', false]);
});

test('Chat: without tools a request has none', () => {
  const { tools } = askedOf({ ...newConversation('t1', [LOCAL]), tools: NO_TOOLS }, SOURCES, 0);
  assert.equal(tools, undefined);
});
