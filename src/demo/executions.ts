import { formatUtc } from '../core/base/time/time.ts';
import { DIALOGUES, INSTRUCTIONS, THANKS } from './dialogue.ts';
import type { Language, Topic } from './story.ts';
import type { DemoEvent } from './transcript.ts';

const DAY = 86_400_000;
/** The days before now, the bad ones among them. */
const DAYS = 6;
/** One of so many conversations is recorded: a demo starts soon. */
const ONE_OF = 5;
/** Milliseconds of the search for context before an answer. */
const RETRIEVAL_MS = 60;

export interface DemoExecution {
  id: string;
  threadId: string;
  startedAt: string;
  body: Record<string, unknown>;
  /** The score that its conversation got at its end; null without one. */
  score: number | null;
  failedTool: boolean;
}

/** Turns of some conversations of the last days, with their steps, made from their events. */
export function demoExecutions(events: readonly DemoEvent[], now: number): DemoExecution[] {
  const recent = events.filter(({ timestamp }) => Date.parse(timestamp) >= now - DAYS * DAY);
  const threads = [...Map.groupBy(recent, ({ threadId }) => threadId)].filter(
    ([id]) => Number(id.slice(-3)) % ONE_OF === 0,
  );
  return threads.flatMap(([, thread]) => turnsOf(thread));
}

function turnsOf(thread: DemoEvent[]): DemoExecution[] {
  const [first] = thread;
  if (first?.eventName !== 'conversation_started') return [];
  const { language, topic, plan, channel } = first.properties as Record<string, string>;
  const score = thread.find(({ eventName }) => eventName === 'feedback_given')?.properties.score ?? null;
  const turns = [
    ...Map.groupBy(
      thread.filter(({ executionId }) => executionId),
      ({ executionId }) => executionId!,
    ),
  ];
  const spoken: object[] = [{ role: 'system', content: INSTRUCTIONS }];
  return turns.flatMap(([id, own], index) => {
    const reply = own.find(({ eventName }) => eventName === 'agent_replied');
    if (!reply) return [];
    const calls = own.filter(({ eventName }) => eventName === 'tool_called');
    const failedTool = calls.some(({ properties }) => properties.success === false);
    const { question, answer, failure } = DIALOGUES[topic as Topic][language as Language];
    const isLast = index === turns.length - 1;
    spoken.push({ role: 'user', content: index === 0 ? question : THANKS[language as Language] });
    const said = failedTool || (!isLast && score !== null && Number(score) < 3) ? failure : answer;
    const messages = [...spoken, ...callMessages(id, calls), { role: 'assistant', content: said }];
    spoken.push({ role: 'assistant', content: said });
    const { body, startedAt } = recorded(id, reply, calls);
    const about = { threadId: first.threadId, userId: `customer-${first.threadId.slice(-7)}`, name: 'answer' };
    return [
      {
        ...{ id, threadId: first.threadId, startedAt, score: isLast ? (score as number | null) : null, failedTool },
        body: { id, ...about, tags: [topic, plan], metadata: { channel, language }, messages, ...body },
      },
    ];
  });
}

function callMessages(id: string, calls: DemoEvent[]): object[] {
  return calls.flatMap(({ properties: { tool, success } }, index) => {
    const callId = `${id}-call-${index + 1}`;
    const called = { name: tool, arguments: JSON.stringify({ conversation: id }) };
    return [
      { role: 'assistant', content: null, tool_calls: [{ id: callId, type: 'function', function: called }] },
      {
        role: 'tool',
        tool_call_id: callId,
        content: success ? '{"state":"found"}' : '{"error":"The provider does not answer."}',
      },
    ];
  });
}

/** Times go back from the reply: a search for context, the calls of tools, the model. */
function recorded(id: string, reply: DemoEvent, calls: DemoEvent[]) {
  const { model, latencyMs, tokens, costUsd } = reply.properties as {
    model: string;
    latencyMs: number;
    tokens: { input: number; output: number };
    costUsd: number;
  };
  const end = Date.parse(reply.timestamp);
  const took = calls.reduce((sum, { properties }) => sum + Number(properties.durationMs), 0);
  const start = end - latencyMs - took - RETRIEVAL_MS;
  let at = start + RETRIEVAL_MS;
  const tools = calls.map(({ properties: { tool, success, durationMs } }, index) => {
    const startedAt = formatUtc(at);
    at += Number(durationMs);
    return {
      ...{
        id: `${id}-call-${index + 1}`,
        parentId: 'turn',
        kind: 'tool',
        name: tool,
        startedAt,
        endedAt: formatUtc(at),
      },
      input: { conversation: id },
      ...(success
        ? { output: { state: 'found' } }
        : { error: { kind: 'timeout', message: 'The provider does not answer.' } }),
    };
  });
  const times = { startedAt: formatUtc(start), endedAt: formatUtc(end) };
  const steps = [
    { id: 'turn', kind: 'agent', name: 'support', ...times },
    {
      ...{ id: 'search', parentId: 'turn', kind: 'retrieval', name: 'help articles', startedAt: times.startedAt },
      ...{ endedAt: formatUtc(start + RETRIEVAL_MS), output: { articles: 3 } },
    },
    ...tools,
    {
      ...{ id: 'model', parentId: 'turn', kind: 'model', name: model, model, provider: 'aurora', cost: costUsd },
      ...{ startedAt: formatUtc(at), endedAt: times.endedAt },
      usage: { inputTokens: tokens.input, outputTokens: tokens.output },
    },
  ];
  const failed = tools.length > 0 && tools.every((tool) => 'error' in tool);
  const status = failed ? 'failed' : 'completed';
  return { startedAt: times.startedAt, body: { status, model, provider: 'aurora', ...timesOf(times), steps } };
}

function timesOf({ startedAt, endedAt }: { startedAt: string; endedAt: string }) {
  return { startedAt, completedAt: endedAt };
}

/** The review that somebody has already written of an execution; null for most. */
export function demoReview({ id, score, failedTool }: DemoExecution): Record<string, unknown> | null {
  // Two of three of those that got a score; the others wait in the queue.
  if (score === null || [...id].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % 3 === 0) return null;
  if (score >= 4)
    return {
      rating: 'good',
      comment: 'Clear and short, with what the customer needs.',
      tags: ['tone'],
      priority: 'low',
    };
  if (failedTool) {
    return {
      rating: 'bad',
      comment: 'It gave up when the tool failed, and offered nobody.',
      tags: ['outage'],
      priority: 'high',
    };
  }
  return {
    rating: 'needs_improvement',
    comment: 'It answers, but not what was asked.',
    tags: ['relevance'],
    priority: 'medium',
  };
}

export const demoRubric = {
  name: 'support_answer',
  title: 'Quality of an answer',
  questions: [
    { id: 'solved', text: 'Does it solve the problem?', type: 'boolean', guidance: 'No if they would ask again.' },
    { id: 'tone', text: 'How is its tone?', type: 'scale', guidance: '1 is rude, 5 is how our best colleague writes.' },
    {
      id: 'fault',
      text: 'What is wrong with it?',
      type: 'choice',
      choices: ['nothing', 'wrong', 'incomplete', 'not asked'],
    },
  ],
};

export const demoQueue = {
  name: 'unhappy_customers',
  title: 'Conversations with a low score',
  filters: { hasReview: false },
  outcome: { eventName: 'feedback_given', filters: [{ propertyKey: 'score', operator: 'lte', value: 2 }] },
  rubric: 'support_answer',
};
