import { streamChat } from '../../../../clients/typescript/src/chat.ts';
import { AgentRuntimeError } from '../../../../clients/typescript/src/errors.ts';
import { answerOf, client } from '../../api/client.ts';
import { messageOf } from '../../api/errors.ts';
import type { Schemas } from '../../api/schemas.ts';
import { t } from '../../language/index.ts';
import { EXECUTION, type Execution } from '../executions/executions.ts';
import { runTool } from './run-tool.ts';
import {
  begun,
  brokenOff,
  type Conversation,
  heard,
  isDue,
  newConversation,
  type Place,
  recordedAs,
  roundsAt,
  sent,
  withCost,
  withResult,
} from './state/conversation.ts';
import { askedOf, calledBy, messagesBefore } from './state/request.ts';
import type { Source } from './state/sides.ts';
import { answeringOf } from './state/tools/form.ts';

/** How often a model is asked in one answer before a person decides whether it goes on. */
const MOST_ROUNDS = 8;
const ID_BYTES = 12;

type Change = (to: (before: Conversation) => Conversation) => void;

/** Asks the models of a conversation, and lets their tools answer. */
export class Talk {
  sources: readonly Source[] = [];
  private readonly latest: { current: Conversation };
  private readonly show: (conversation: Conversation) => void;
  private readonly running = new Set<AbortController>();

  constructor(latest: { current: Conversation }, show: (conversation: Conversation) => void) {
    this.latest = latest;
    this.show = show;
  }

  update(change: (before: Conversation) => Conversation): void {
    this.latest.current = change(this.latest.current);
    this.show(this.latest.current);
  }

  send(): void {
    this.update(sent);
    const { exchanges, sides } = this.latest.current;
    for (const side of sides.keys()) void this.ask({ exchange: exchanges.length - 1, side });
  }

  stop(): void {
    for (const controller of this.running) controller.abort();
    this.running.clear();
  }

  begin(): void {
    this.stop();
    this.update((before) => newConversation(newThreadId(), before.sides, before));
  }

  async ask(place: Place): Promise<void> {
    const controller = new AbortController();
    const { signal } = controller;
    this.running.add(controller);
    const { threadId } = this.latest.current;
    const change: Change = (to) => {
      // A new conversation may have begun.
      if (this.latest.current.threadId === threadId) this.update(to);
    };
    const asked = askedOf(this.latest.current, this.sources, place.side);
    change((before) => begun(before, place, asked));
    const rounds = roundsAt(this.latest.current, place).length;
    const request = this.requestAt(place, rounds - 1);
    const start = performance.now();
    const elapsed = () => performance.now() - start;
    const onExecution = (id: string) => change((before) => recordedAs(before, place, id));
    try {
      for await (const event of streamChat(client, request, { signal, onExecution })) {
        if (signal.aborted) break;
        change((before) => heard(before, place, event, elapsed()));
      }
      if (signal.aborted) change((before) => brokenOff(before, place, null, elapsed()));
    } catch (error) {
      const ms = elapsed();
      const { executionId = null } = roundsAt(this.latest.current, place).at(-1) ?? {};
      const fault = signal.aborted ? null : await faultOf(error, executionId);
      change((before) => brokenOff(before, place, fault, ms));
    } finally {
      this.running.delete(controller);
    }
    if (signal.aborted) return;
    await Promise.all([this.searchFor(place, rounds), this.findCost(place, change)]);
  }

  /** The request of a round, as it was sent. */
  requestAt(place: Place, round: number): Schemas['ChatRequest'] {
    const rounds = roundsAt(this.latest.current, place);
    return { ...rounds[round]!.asked, messages: messagesBefore(this.latest.current, place, rounds.slice(0, round)) };
  }

  answer(place: Place, call: number, result: string): void {
    this.update((before) => withResult(before, place, call, result));
    this.goOn(place);
  }

  async run(place: Place, call: number): Promise<void> {
    const { threadId, tools } = this.latest.current;
    const { name, arguments: given } = calledBy(roundsAt(this.latest.current, place).at(-1)!.calls[call]!);
    const result = await runTool(answeringOf(tools, name), given);
    if (this.latest.current.threadId === threadId) this.answer(place, call, result);
  }

  /** Vector stores answer at once: to search them changes nothing. */
  private async searchFor(place: Place, rounds: number): Promise<void> {
    const round = roundsAt(this.latest.current, place).at(-1);
    if (round?.status !== 'done' || rounds >= MOST_ROUNDS) return;
    const { tools } = this.latest.current;
    for (const [index, call] of round.calls.entries()) {
      if (answeringOf(tools, calledBy(call).name).kind === 'store') await this.run(place, index);
    }
  }

  /** The stream does not say what the answer cost: its record does. */
  private async findCost(place: Place, change: Change): Promise<void> {
    const round = roundsAt(this.latest.current, place).at(-1);
    const { executionId, status } = round ?? {};
    if (status !== 'done' || !executionId) return;
    const execution = await recordOf(executionId);
    if (execution !== null) change((before) => withCost(before, place, executionId, execution.cost));
  }

  private goOn(place: Place): void {
    if (isDue(roundsAt(this.latest.current, place).at(-1))) void this.ask(place);
  }
}

/** A browser may lose the last event of a connection that breaks off: the record of the answer has the reason. */
async function faultOf(error: unknown, executionId: string | null): Promise<string> {
  if (!(error instanceof AgentRuntimeError && error.code === 'connection')) return messageOf(error);
  const execution = executionId === null ? null : await recordOf(executionId);
  return execution?.chat?.error?.message ?? t('The connection broke off before the answer was complete.');
}

/** Null if it cannot be read. */
function recordOf(executionId: string): Promise<Execution | null> {
  return answerOf(client.GET(EXECUTION, { params: { path: { executionId } } })).catch(() => null);
}

/** `crypto.randomUUID` exists over https only. */
export function newThreadId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(ID_BYTES));
  return `playground-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
